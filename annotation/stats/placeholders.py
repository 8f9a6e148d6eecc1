"""Texts that stand for a missing translation."""

import unicodedata

# Written instead of a translation (PAWS-X has NS): without white space and in lower case. In a
# constraint: Lower(Replace("text", Value(" "), Value(""))) is none of them.
PLACEHOLDERS = ("", "ns", "n/a", "-", "–", "—")
# Also refused, whatever marks and brackets are around them.
FURTHER = ("n.a", "tbd", "todo", "untranslatable")
MARKS = ".!?…。-–—_*[](){}<>'\""


def placeholder(text: str) -> bool:
    """Whether a text has no word, or says only that there is no translation, as NS and N/A do.

    >>> placeholder(" n / A"), placeholder("ＮＳ。"), placeholder("[TODO]"), placeholder("NS-Zeit")
    (True, True, True, False)
    """
    folded = "".join(unicodedata.normalize("NFKC", text).split()).lower().strip(MARKS)
    return folded in PLACEHOLDERS or folded in FURTHER
