"""Results of a classifier in several languages: the means and counts of PAWS-X (Tables 5 and 6)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from statistics import fmean


@dataclass(frozen=True, slots=True)
class Right:
    """How many pairs were labelled right in `fewest` to `most` languages, and their share."""

    fewest: int
    most: int
    pairs: int
    share: float


def mean_over_targets(scores: Mapping[str, float], *, source: str) -> float | None:
    """Return the mean of a score over the languages other than the source (Table 5).

    Each language has the same weight. None without another language.

    >>> mean_over_targets({"en": 93.5, "fr": 89.0, "ja": 79.0}, source="en")
    84.0
    """
    targets = [score for language, score in scores.items() if language != source]
    return fmean(targets) if targets else None


def languages_right(right: Mapping[str, Mapping[str, bool]]) -> Counter[int]:
    """Count pairs by the number of languages in which they were labelled right.

    `right` says for each language and id whether the label was right. Only ids that all languages
    have are counted, as some pairs are not translated into some languages.
    """
    common = _common(right)
    return Counter(sum(of[pair] for of in right.values()) for pair in common)


def by_languages_right(right: Mapping[str, Mapping[str, bool]]) -> list[Right]:
    """Return the counts of `languages_right` for none, 1-2, 3-4 and so on, and all (Table 6).

    Shares are of the pairs that all languages have; there are none without such a pair.
    """
    counts = languages_right(right)
    if not (whole := counts.total()):
        return []
    return [_right(counts, few, many, whole) for few, many in _ranges(len(right))]


def _common(right: Mapping[str, Mapping[str, bool]]) -> set[str]:
    ids = (set(of) for of in right.values())
    return reduce(set.intersection, ids) if right else set()


def _ranges(languages: int) -> Iterator[tuple[int, int]]:
    yield 0, 0
    for few in range(1, languages, 2):
        yield few, min(few + 1, languages - 1)
    yield languages, languages


def _right(counts: Counter[int], fewest: int, most: int, whole: int) -> Right:
    pairs = sum(counts[number] for number in range(fewest, most + 1))
    return Right(fewest, most, pairs, pairs / whole)
