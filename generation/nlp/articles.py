"""Chooses between "a" and "an"."""

import re

# Initial vowels that sound like consonants, and vice versa.
_CONSONANT_SOUND = re.compile(
    r"(?:eu|ew|u(?:ni(?!n|m)|s[aeu]|sh|t[aeio]|r[aeio]|bi|k)|on(?:e|ce)\b)"
)
_VOWEL_SOUND = re.compile(r"(?:[aeiou]|hour|hono[u]?r|honest|heir|8|1[18](?!\d\b|\d\d\b))")
_LETTER_BY_LETTER = re.compile(r"[A-Z](?:[A-Z0-9]|\.|\b)")


def takes_an(word: str) -> bool:
    """Whether the indefinite article before this word is "an", judged by its spelling.

    >>> takes_an("hour"), takes_an("university"), takes_an("FBI")
    (True, False, True)
    """
    if _LETTER_BY_LETTER.match(word):
        return word[0] in "AEFHILMNORSX"
    lower = word.lower()
    return bool(_VOWEL_SOUND.match(lower)) and not _CONSONANT_SOUND.match(lower)


def agrees(article: str, word: str) -> bool:
    """Whether this word may follow `article`; any word may follow a word that is no article."""
    lower = article.lower()
    return lower not in ("a", "an") or takes_an(word) == (lower == "an")
