"""What may be wrong with a translation: warnings, which block nothing, and texts that are none.

Each check returns a Finding, a name and the words that its message names, or None.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, TypeVar

import numpy as np

from annotation.translations.stats.placeholders import is_suspect
from generation.nlp.text import MAX_CHARACTERS, folded
from generation.nlp.words import COMBINING, TOKEN, WITHOUT_SPACES

# The shares of done translations that are shorter, and not longer, than the band.
BAND = (0.5, 99.5)
FEWEST_RATIOS = 200
# Longer terms, in words and marks, are not found in a sentence.
LONGEST_TERM = 12
OPENING, CLOSING = "([{（［｛【〔〖", ")]}）］｝】〕〗"
# Marks that end a sentence, in any script: full stops, question marks and exclamation marks.
FINAL = (".…․。．｡।|॥۔։።။។", "?？؟;\u037e፧", "!！")
NO_FULL_STOP = re.compile(r"[\u0e00-\u0eff]")  # Thai and Lao
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_SEPARATOR = r"[\s.,'’．，٫٬،]?"
_UNSPACED = re.compile(f"[{WITHOUT_SPACES}]")
_TOKEN = re.compile(TOKEN)


class Check(StrEnum):
    """What a finding is about, and in brackets the words that it has."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NUMBERS = "numbers"  # the numbers of the source that are missing
    BRACKET_MISSING = "bracket_missing"  # a bracket of the source
    BRACKET_ADDED = "bracket_added"  # a bracket of the translation
    MARK_MISSING = "mark_missing"  # the final mark of the source
    MARK_ADDED = "mark_added"  # the final mark of the translation
    TERMS = "terms"  # the translations of terms that are not used
    REUSED = "reused"  # another sentence has the same translation
    UNCHANGED = "unchanged"
    PLACEHOLDER = "placeholder"  # the text may only say that there is no translation


@dataclass(frozen=True, slots=True)
class Finding:
    """A check that a translation does not pass, and the words that its message names."""

    name: Check
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Band:
    """The usual ratios of the lengths of a translation and its source, in characters."""

    low: float
    high: float


class Term(Protocol):
    """An entry of a glossary."""

    @property
    def source(self) -> str: ...
    @property
    def target(self) -> str: ...


AnyTerm = TypeVar("AnyTerm", bound=Term)


def findings(
    source: str,
    translation: str,
    *,
    band: Band | None = None,
    terms: Iterable[Term] = (),
    reused: bool = False,
) -> list[Finding]:
    """Return all findings about a translation that is no placeholder.

    `band` is None while too few translations are done, `terms` are those from `matched_terms`, and
    `reused` says that another sentence has the same translation.
    """
    if is_unchanged(source, translation):
        return [Finding(Check.UNCHANGED)]
    results = [
        Finding(Check.PLACEHOLDER, (translation,)) if is_suspect(translation) else None,
        length(source, translation, band) if band else None,
        *(check(source, translation) for check in OF_BOTH),
        unused_terms(translation, terms),
        Finding(Check.REUSED) if reused else None,
    ]
    return [finding for finding in results if finding]


def most_characters(source: str) -> int:
    """Return how long a translation may be: as a sentence, or thrice its source."""
    return max(MAX_CHARACTERS, 3 * len(source))


def ratio(source: str, translation: str) -> float:
    """Return the length of a translation over that of its source, which is not empty."""
    return len(translation) / len(source)


def learn_band(ratios: Sequence[float]) -> Band | None:
    """Return the band that holds 99 % of the ratios; None for fewer than FEWEST_RATIOS."""
    if len(ratios) < FEWEST_RATIOS:
        return None
    low, high = np.percentile(ratios, BAND)
    return Band(float(low), float(high))


def length(source: str, translation: str, band: Band) -> Finding | None:
    """Return whether a translation is unusually short or long."""
    if ratio(source, translation) < band.low:
        return Finding(Check.TOO_SHORT)
    return Finding(Check.TOO_LONG) if ratio(source, translation) > band.high else None


def numbers(source: str, translation: str) -> Finding | None:
    """Return the numbers of two or more digits that are missing.

    Digits may be those of another script, and grouped in another way.

    >>> numbers("12,500 people and 73 dogs", "12.500 Leute und Hunde").words
    ('73',)
    """
    numbers_of_source = dict.fromkeys(_NUMBER.findall(_plain_digits(source)))
    text = _plain_digits(translation)
    missing = tuple(number for number in numbers_of_source if not _is_number_in(number, text))
    return Finding(Check.NUMBERS, missing) if missing else None


def brackets(source: str, translation: str) -> Finding | None:
    """Return the first kind of bracket, opening or closing, that one text has more often."""
    for kind in (OPENING, CLOSING):
        source_marks, translation_marks = (
            [mark for mark in text if mark in kind] for text in (source, translation)
        )
        if len(source_marks) > len(translation_marks):
            return Finding(Check.BRACKET_MISSING, (source_marks[-1],))
        if len(translation_marks) > len(source_marks):
            return Finding(Check.BRACKET_ADDED, (translation_marks[-1],))
    return None


def final_mark(source: str, translation: str) -> Finding | None:
    """Return the final mark that only one text has, or that of the source if they differ."""
    before, after = _final(source), _final(translation)
    if _kind(before) == _kind(after) or (not after and NO_FULL_STOP.search(translation)):
        return None
    if before:
        return Finding(Check.MARK_MISSING, (before,))
    return Finding(Check.MARK_ADDED, (after,))


def unused_terms(translation: str, terms: Iterable[Term]) -> Finding | None:
    """Return the translations of terms that do not occur, not even in a longer word."""
    text = translation.casefold()
    missing = tuple(term.target for term in terms if term.target.casefold() not in text)
    return Finding(Check.TERMS, missing) if missing else None


def phrases(text: str) -> set[str]:
    """Return the runs of at most LONGEST_TERM words of a text: all that a term can be equal to.

    In scripts without spaces each character is a word.

    >>> sorted(phrases("St. Louis"))
    ['.', '. Louis', 'Louis', 'St', 'St.', 'St. Louis']
    """
    words = [match.span() for match in _TOKEN.finditer(text)]
    return {
        text[start:end]
        for at, (start, _end) in enumerate(words)
        for _start, end in words[at : at + LONGEST_TERM]
    }


def is_unchanged(source: str, translation: str) -> bool:
    """Whether a translation is its source, but for case and spaces."""
    return folded(source).casefold() == folded(translation).casefold()


def matched_terms(text: str, terms: Iterable[AnyTerm]) -> list[AnyTerm]:
    """Return the terms whose source occurs in a text, in the order of the text, each once.

    They are whole words, in any case; where several begin in one place, the longest is taken, and
    none of the others inside it.
    """
    longest = sorted(terms, key=lambda term: -len(term.source))
    if not longest:
        return []
    pattern = "|".join(f"({_whole(term.source)})" for term in longest)
    matches = re.finditer(pattern, text, re.IGNORECASE)
    numbers = dict.fromkeys(match.lastindex or 0 for match in matches)
    return [longest[number - 1] for number in numbers]


OF_BOTH: tuple[Callable[[str, str], Finding | None], ...] = (numbers, brackets, final_mark)


def _plain_digits(text: str) -> str:
    return "".join(str(unicodedata.decimal(character, character)) for character in text)


def _is_number_in(number: str, text: str) -> bool:
    digits = [character for character in number if character.isdigit()]
    if len(digits) < 2:
        return True
    return bool(re.search(rf"(?<!\d){_SEPARATOR.join(digits)}(?!\d)", text))


def _final(text: str) -> str:
    """Return the mark that ends a text, in front of closing quotation marks and brackets, or ""."""
    end = next((character for character in reversed(text) if not _closes(character)), "")
    return end if _kind(end) is not None else ""


def _closes(character: str) -> bool:
    category = unicodedata.category(character)
    return character.isspace() or character in "\"'`" or category in ("Pe", "Pf", "Pi")


def _kind(mark: str) -> str | None:
    return next((kind for kind in FINAL if mark and mark in kind), None)


def _whole(term: str) -> str:
    """Return a pattern of whole words; scripts without spaces have no bounds of words."""
    before = "" if _UNSPACED.match(term[:1]) else r"(?<!\w)"
    after = "" if _UNSPACED.match(term[-1:]) else rf"(?![\w{COMBINING}])"
    return f"{before}{re.escape(term)}{after}"
