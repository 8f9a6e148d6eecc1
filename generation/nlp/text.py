"""Validates sentence text: kept as received, in NFC, or refused with a named reason."""

import unicodedata
from enum import StrEnum
from hashlib import blake2b
from uuid import UUID

# The most characters of a sentence; imports may set another limit.
MAX_CHARACTERS = 2_000
LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
# Embeddings, overrides and isolates, which can show other words than are stored.
DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
# Characters that are not seen and join nothing; U+200C and U+200D change letters and emoji.
UNSEEN = dict.fromkeys(map(ord, "\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u2060\ufeff"))
INVISIBLE = frozenset(("Cc", "Cf", "Zs", "Zl", "Zp"))


class Reason(StrEnum):
    """Why a text was refused."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    NUL = "nul"
    SURROGATE = "surrogate"
    LINE_BREAK = "line_break"
    TAB = "tab"
    CONTROL = "control_character"
    DIRECTION = "direction_control"
    NONCHARACTER = "noncharacter"
    BYTES = "python_byte_literal"


class RefusedText(ValueError):
    """A text that cannot be a sentence; `reason` says why.

    It has `length` characters, and at most `most` are allowed.
    """

    def __init__(self, reason: Reason, *, length: int, most: int) -> None:
        self.reason, self.length, self.most = reason, length, most
        super().__init__(f"Text refused: {': '.join(filter(None, (reason, self.sizes)))}.")

    @property
    def sizes(self) -> str:
        """The length and the limit of a text that is too long; "" of others."""
        if self.reason != Reason.TOO_LONG:
            return ""
        return f"{self.length:,} characters, and at most {self.most:,} are allowed"


def check(text: str, *, max_characters: int) -> str:
    """Return the text in NFC, stripped, if it is a sentence of at most `max_characters` characters.

    Raises RefusedText: tabs and line breaks would end cells of TSV files, and controls of text
    direction can hide the order of words. Right-to-left languages need direction marks (U+200E).
    """
    cleaned = unicodedata.normalize("NFC", text).strip()
    if reason := _refusal_reason(cleaned, max_characters):
        raise RefusedText(reason, length=len(cleaned), most=max_characters)
    return cleaned


def is_byte_literal(text: str) -> bool:
    """Whether a text begins as b'…': some published sets hold such texts, PAWS-QQP among them."""
    return text.startswith(("b'", 'b"')) and len(text) > 2


def folded(text: str) -> str:
    """Return what texts that look the same share: NFC, single spaces, no unseen characters."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(UNSEEN)
    return " ".join(text.split())


def pair_key(one: str, other: str, *, directed: bool = False) -> UUID:
    """Return a digest that tells whether two pairs have the same texts.

    They may be in either order, unless the pairs are `directed`.
    """
    texts = [folded(one), folded(other)]
    if not directed:
        texts.sort()
    return UUID(bytes=blake2b("\n".join(texts).encode(), digest_size=16).digest())


def _refusal_reason(text: str, max_characters: int) -> Reason | None:
    if len(text) > max_characters:
        return Reason.TOO_LONG
    if is_byte_literal(text) and text.endswith(text[1]):
        return Reason.BYTES
    if text and text.isprintable():  # nearly always; the only invisible characters are inner spaces
        return None
    if reason := next(filter(None, map(_reason_of_character, text)), None):
        return reason
    if all(unicodedata.category(character) in INVISIBLE for character in text):
        return Reason.EMPTY
    return None


def _reason_of_character(character: str) -> Reason | None:
    if character == "\0":
        return Reason.NUL
    if character == "\t":
        return Reason.TAB
    if character in LINE_BREAKS:
        return Reason.LINE_BREAK
    if character in DIRECTIONS:
        return Reason.DIRECTION
    if ord(character) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(character) <= 0xFDEF:
        return Reason.NONCHARACTER
    category = unicodedata.category(character)
    return {"Cc": Reason.CONTROL, "Cs": Reason.SURROGATE}.get(category)
