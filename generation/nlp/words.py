"""What a word is in any script, for everything that counts or compares words.

A word is a run of letters and digits with the marks that combine with them, as the vowel signs of
Hindi. In scripts without spaces each character is a word, with the marks that combine with it.
"""

import re
import unicodedata
from itertools import chain

# Languages (primary tags of BCP 47) that are written in these scripts, all without spaces.
LANGUAGES_WITHOUT_SPACES = frozenset(
    {"bo", "cmn", "dz", "ja", "km", "lo", "lzh", "my", "shn", "th", "wuu", "yue", "zh"}
)
# Classes of patterns: characters of these scripts.
WITHOUT_SPACES = (
    "\u0e00-\u0fff"  # Thai, Lao, Tibetan
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f"  # Burmese, Shan
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\U0001b000-\U0001b16f"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"  # Han
)


def _combining_characters() -> str:
    """Return, for a class of a pattern, what belongs to the character before it.

    Those are the combining marks, and the joiners U+200C and U+200D of Persian and Hindi.
    """
    codes = chain(range(0x20000), range(0xE0000, 0xE0200))
    marks = [code for code in codes if unicodedata.category(chr(code)).startswith("M")]
    ranges: list[list[int]] = []
    for code in sorted([*marks, 0x200C, 0x200D]):
        if ranges and code == ranges[-1][1] + 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(begin)}-{chr(last)}" for begin, last in ranges)


COMBINING = _combining_characters()
_MARKS = f"[{COMBINING}]*+"
_CHARACTER = rf"(?=\w)[{WITHOUT_SPACES}]{_MARKS}"
# Patterns of a word, and of a word or mark.
WORD = rf"(?:{_CHARACTER}|(?:[^\W_{WITHOUT_SPACES}]++{_MARKS})++)"
TOKEN = rf"(?:{_CHARACTER}|(?:[^\W{WITHOUT_SPACES}]++{_MARKS})++|[^\w\s]{_MARKS})"
_WORD, _TOKEN = re.compile(WORD), re.compile(TOKEN)
_PIECE = re.compile(rf"{_CHARACTER}|[^\s{WITHOUT_SPACES}]+|\S")
# Of ASCII alone, in a third of the time.
_ASCII_WORD, _ASCII_TOKEN = re.compile(r"[^\W_]+"), re.compile(r"\w+|[^\w\s]")


def words(text: str) -> list[str]:
    """Split a text into words, without punctuation.

    >>> words("Mara's dog."), words("हिन्दी में"), words("他住在Berlin。")
    (['Mara', 's', 'dog'], ['हिन्दी', 'में'], ['他', '住', '在', 'Berlin'])
    """
    return (_ASCII_WORD if text.isascii() else _WORD).findall(text)


def tokens(text: str) -> list[str]:
    """Split a text into words and punctuation marks, without a tagger.

    >>> tokens("Mara's dog.")
    ['Mara', "'", 's', 'dog', '.']
    """
    return (_ASCII_TOKEN if text.isascii() else _TOKEN).findall(text)


def pieces(text: str) -> list[str]:
    """Split a text at white space, and in scripts without spaces into characters.

    >>> pieces("Mara's dog."), pieces("狗叫了。")
    (["Mara's", 'dog.'], ['狗', '叫', '了', '。'])
    """
    return text.split() if text.isascii() else _PIECE.findall(text)


def has_spaces(language: str) -> bool:
    """Return whether words of a language, named by its BCP 47 tag, are divided by spaces.

    >>> has_spaces("ko"), has_spaces("zh-Hant")
    (True, False)
    """
    return language.partition("-")[0].lower() not in LANGUAGES_WITHOUT_SPACES
