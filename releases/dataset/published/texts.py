"""The sentences of published sets: kept as they are, but for what tables and Unicode ask for."""

import ast
from collections import Counter
from collections.abc import Iterable
from unicodedata import normalize

from generation.nlp.text import LINE_BREAKS, check, is_byte_literal

MAX_CHARACTERS = 10_000
# The share of Python literals from which on a column has them: b'It rains.'
MOSTLY = 0.95
_BREAKS = dict.fromkeys(map(ord, {*LINE_BREAKS, "\t"}), " ")
DECODED, NORMALISED, BREAKS, STRIPPED = "bytes_decoded", "nfc", "breaks_to_spaces", "stripped"


def has_literals(texts: Iterable[str]) -> bool:
    """Return whether the texts of a column are to be decoded."""
    counts = Counter(map(is_byte_literal, texts))
    return counts[True] > 0 and counts[True] >= MOSTLY * counts.total()


def clean(text: str, changed: Counter[str], *, is_literal: bool = False) -> str:
    """Return a sentence as releases have it, and count what was changed.

    Raises RefusedText, and UnicodeError or SyntaxError for bytes that are no text.
    """
    if is_literal and is_byte_literal(text):
        text = ast.literal_eval(text).decode()
        changed[DECODED] += 1
    if text.isascii() and text.isprintable():
        kept = text
    else:
        kept = normalize("NFC", text)
        changed[NORMALISED] += kept != text
        folded = kept.replace("\r\n", " ").translate(_BREAKS)
        changed[BREAKS] += folded.strip() != kept.strip()
        kept = folded
    stripped = kept.strip()
    changed[STRIPPED] += stripped != kept
    return check(stripped, max_characters=MAX_CHARACTERS)
