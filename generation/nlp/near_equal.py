"""Texts that say the same in the same words, which no one need compare (PARADE 3.2)."""

import unicodedata
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from generation.nlp.words import pieces

# The share of characters that two texts with some typos share at least.
TYPOS = 0.9
APOSTROPHES = "'’"


class NearEqual(StrEnum):
    """How two texts nearly repeat each other."""

    EQUAL = "equal"
    CONTAINED = "contained"
    TYPOS = "typos"


def plain_text(text: str) -> str:
    """Return a text casefolded and without punctuation, with single spaces.

    >>> plain_text("Mother’s read-only  list.")
    'mothers read only list'
    """
    return " ".join("".join(map(_letter, text.casefold())).split())


def near_equal(one: str, other: str) -> NearEqual | None:
    """Return how two texts from `plain_text` nearly repeat each other; None if they do not.

    They are equal, one is a run of whole words of the other (of characters in scripts without
    spaces), or their Levenshtein similarity is at
    least TYPOS ("only differ in punctuation or some typos, or one definition is a sub-string of
    the other", PARADE 3.2; the measure is ours).
    """
    if one == other:
        return NearEqual.EQUAL
    text1, text2 = (f" {' '.join(pieces(text))} " for text in (one, other))
    if text1 in text2 or text2 in text1:
        return NearEqual.CONTAINED
    if Levenshtein.normalized_similarity(one, other, score_cutoff=TYPOS) >= TYPOS:
        return NearEqual.TYPOS
    return None


def _letter(character: str) -> str:
    if character in APOSTROPHES:
        return ""
    return " " if unicodedata.category(character).startswith("P") else character
