"""Texts that replace a missing translation."""

import unicodedata

# Written instead of a translation (PAWS-X has NS): without white space and in lower case. In a
# constraint: Lower(Replace("text", Value(" "), Value(""))) is none of them.
PLACEHOLDERS = ("", "ns", "n/a", "-", "–", "—")
# Also refused, whatever marks and brackets are around them.
FURTHER = ("n.a", "tbd", "todo", "untranslatable")
# Warned of, never refused: alone they mostly mean no translation, but “None.” has one.
SUSPECTS = frozenset(
    (
        *("none", "null", "nil", "na", "notranslation", "nottranslatable", "notapplicable"),
        *("notavailable", "keine", "keineangabe", "keineübersetzung", "k.a", "entfällt"),
        *("unübersetzbar", "nichtübersetzbar", "aucun", "aucune", "néant", "s/o", "sansobjet"),
        *("intraduisible", "ninguno", "ninguna", "n/d", "noaplica", "intraducible", "nessuno"),
        *("なし", "該当なし", "翻訳なし", "翻訳不可", "翻訳不能", "无", "無", "不适用", "不適用"),
        *(
            "无法翻译",
            "無法翻譯",
            "不可翻译",
            "没有翻译",
            "없음",
            "해당없음",
            "번역불가",
            "번역없음",
        ),
    )
)
MARKS = ".!?…。-–—_*[](){}<>'\""


def is_placeholder(text: str) -> bool:
    """Whether a text has no word, or says only that there is no translation, as NS and N/A do.

    >>> [is_placeholder(text) for text in (" n / A", "ＮＳ。", "[TODO]", "NS-Zeit")]
    [True, True, True, False]
    """
    bare = _bare(text)
    return bare in PLACEHOLDERS or bare in FURTHER


def is_suspect(text: str) -> bool:
    """Whether a text reads like a note that there is no translation, in any of some languages.

    >>> [is_suspect(text) for text in ("該当なし。", "(Keine)", "Keine Ahnung.")]
    [True, True, False]
    """
    return _bare(text) in SUSPECTS


def _bare(text: str) -> str:
    """Return a text in lower case, without white space, outer marks and invisible characters."""
    characters = unicodedata.normalize("NFKC", text)
    visible = "".join(mark for mark in characters if unicodedata.category(mark) != "Cf")
    return "".join(visible.split()).lower().strip(MARKS)
