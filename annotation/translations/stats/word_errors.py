"""Which translations are validated, and their word error rates (PAWS-X 2).

The text of the validator is the reference. A rate is (substitutions + deletions + insertions) /
words of the reference, summed over sentences, as jiwer computes it. Case counts, and marks are
words of their own (generation.nlp.words.tokens). Languages written without spaces are compared by
character.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal, TypeAlias

import numpy as np
from rapidfuzz.distance import Levenshtein

from annotation.stats.intervals import Array, Interval, bootstrap
from common.draws import draw
from generation.nlp.words import has_spaces, tokens


@dataclass(frozen=True, slots=True)
class Errors:
    """The errors of a translation, and the words (or characters) that they are counted against."""

    errors: int
    words: int


@dataclass(frozen=True, slots=True)
class Rate:
    """The word error rate of some sentences.

    Attributes:
        value: errors / words; None if there are no words.
        interval: 95 %, over sentences; None for fewer than ten sentences, or if all samples agree.
    """

    sentences: int
    errors: int
    words: int
    value: float | None
    interval: Interval | None

    def is_below(self, most: float) -> bool:
        """Whether the rate is smaller than `most`; 1 of 20 words is not below 0.05."""
        return self.value is not None and self.value < most


ByTranslator: TypeAlias = Mapping[str, Rate]


def place_in_draw(seed: int, translation: str) -> float:
    """Return the place of a sentence in the draw, from 0 to 1, by the id of its translation.

    It is validated if that is below the share to validate, so the draw can be repeated.
    """
    return draw(seed, "validate", translation) / 2**64


def by_character(language: str) -> bool:
    """Whether a language (BCP 47) is compared by character.

    >>> by_character("zh-Hant"), by_character("ko")
    (True, False)
    """
    return not has_spaces(language)


def unit_of(language: str) -> Literal["word", "character"]:
    """Return what the errors of a language are counted in; pages count the same."""
    return "character" if by_character(language) else "word"


def word_errors(reference: str, hypothesis: str, *, by_character: bool) -> Errors:
    """Count what differs between two texts, and the words of the reference.

    With an empty reference each word of the hypothesis is an error, and there are no words.

    >>> word_errors("A dog bites.", "A dog bit.", by_character=False)
    Errors(errors=1, words=4)
    """
    expected, actual = (_units(text, by_character) for text in (reference, hypothesis))
    return Errors(Levenshtein.distance(expected, actual), len(expected))


def errors_of_rejected(hypothesis: str, *, by_character: bool) -> Errors:
    """Count all words of a translation that was rejected as wrong."""
    words = len(_units(hypothesis, by_character))
    return Errors(words, words)


def rate(sentences: Sequence[Errors]) -> Rate:
    """Return the rate over sentences, with a bootstrap interval (stats/intervals.py)."""
    errors = sum(sentence.errors for sentence in sentences)
    words = sum(sentence.words for sentence in sentences)
    value = errors / words if words else None
    return Rate(len(sentences), errors, words, value, _interval(sentences))


def rates(validated: Iterable[tuple[str, Errors]]) -> tuple[Rate, ByTranslator]:
    """Return the rate of all validated sentences, and that of each translator, by name."""
    by_translator: dict[str, list[Errors]] = {}
    for translator, errors in validated:
        by_translator.setdefault(translator, []).append(errors)
    rates_by_translator = {name: rate(errors) for name, errors in sorted(by_translator.items())}
    return rate(list(chain(*by_translator.values()))), rates_by_translator


def _units(text: str, by_character: bool) -> list[str]:
    if by_character:
        return [character for character in text if not character.isspace()]
    return tokens(text)


def _interval(sentences: Sequence[Errors]) -> Interval | None:
    if not sentences:
        return None
    rows = [(sentence.errors, sentence.words) for sentence in sentences]
    kinds, counts = np.unique(np.array(rows, dtype=float), axis=0, return_counts=True)
    return bootstrap(kinds, counts.astype(float), _rates)


def _rates(kinds: Array, samples: Array) -> Array:
    errors, words = (samples @ kinds).T
    values: Array = np.full(len(samples), np.nan)
    np.divide(errors, words, out=values, where=words > 0)
    return values
