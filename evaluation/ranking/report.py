"""How well scores rank groups: R-Precision and Spearman's correlation (partial paraphrases 5.1)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.stats.intervals import FEWEST_PAIRS
from common.tables import Row
from evaluation.contract import Scores
from evaluation.data import Pairs
from evaluation.measures import r_precision, right, spearman
from evaluation.ranking.appended import AppendedRow
from evaluation.ranking.scorers import Scorer
from evaluation.ranking.swaps import DEGREES, Group

SAMPLES = 1_000
# Of the bootstrap interval: 95 %.
BOUNDS = (2.5, 97.5)
RIGHT = (
    "Right answers of models, in per cent; a score above 0.5 says paraphrase. By swaps: the "
    "paraphrase (0) is one, the pivot after 1, 2 or 3 exchanges is none. By words: a paraphrase "
    "with 0 appended words is one, with more it is none.\n"
)


@dataclass(frozen=True, slots=True)
class Measure:
    """A mean over groups, times 100, with its bootstrap interval; none of fewer than ten groups."""

    value: float
    low: float | None
    high: float | None

    def __str__(self) -> str:
        return with_interval(self.value, self.low, self.high)


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one scorer over all groups.

    Groups without a score count 0 in both measures, as do groups with four equal scores
    (`undefined`) in the correlation.
    """

    scorer: str
    groups: int
    r_precision: Measure
    spearman: Measure
    unscored: int
    undefined: int


def with_interval(value: float, low: float | None, high: float | None) -> str:
    """
    >>> with_interval(50, 40, 60), with_interval(50, None, None)
    ('50.00 (40.0 to 60.0)', '50.00')
    """
    interval = "" if low is None or high is None else f" ({low:.1f} to {high:.1f})"
    return f"{value:.2f}{interval}"


def pairs_of(groups: Sequence[Group]) -> Pairs:
    """Return the candidates of all groups with their pivots; only degree 4 has label 1."""
    return Pairs.from_rows(
        (group.pair, candidate.text, group.pivot, int(candidate.degree == DEGREES[0]))
        for group in groups
        for candidate in group.candidates
    )


def appended_pairs(rows: Sequence[AppendedRow]) -> Pairs:
    return Pairs.from_rows((row.id, row.sentence1, row.sentence2, row.label) for row in rows)


def figures(name: str, scorer: Scorer, groups: Sequence[Group], *, seed: int = 0) -> Figures:
    """Score all groups. Raises ValueError if there are none."""
    if not groups:
        raise ValueError("There are no groups to score.")
    scores = np.asarray(scorer(pairs_of(groups)), dtype=np.float64)
    return figures_of_scores(name, scores.reshape(len(groups), len(DEGREES)), seed=seed)


def figures_of_scores(name: str, scores: Scores, *, seed: int = 0) -> Figures:
    """Return the figures of scores of shape (groups, 4), of degrees 4 to 1; nan is no score."""
    degrees = np.array(DEGREES)
    precisions = np.array([r_precision(row) for row in scores])
    ranks = np.array([spearman(row, degrees) for row in scores])
    unscored = np.isnan(scores).any(axis=1)
    equal = ~unscored & (scores == scores[:, :1]).all(axis=1)
    return Figures(
        name,
        len(scores),
        _mean_with_bounds(precisions, seed),
        _mean_with_bounds(ranks, seed),
        int(unscored.sum()),
        int(equal.sum()),
    )


def _mean_with_bounds(values: NDArray[np.float64], seed: int) -> Measure:
    """Return the mean, with bounds of 95 % by bootstrap: the groups are drawn with replacement."""
    mean = round(100 * float(values.mean()), 4)
    if len(values) < FEWEST_PAIRS:
        return Measure(mean, None, None)
    random = np.random.default_rng(seed)
    means = [random.choice(values, len(values)).mean() for _ in range(SAMPLES)]
    low, high = np.percentile(means, BOUNDS)
    return Measure(mean, *(round(100 * float(end), 4) for end in (low, high)))


def right_by_swaps(groups: Sequence[Group], scorer: Scorer) -> tuple[float, ...]:
    """Return the share of right answers after 0 to 3 exchanges (Figure 3)."""
    pairs = pairs_of(groups)
    is_right = right(pairs.labels, scorer(pairs))
    return tuple(is_right.reshape(len(groups), len(DEGREES)).mean(axis=0).tolist())


def right_by_words(rows: Sequence[AppendedRow], scorer: Scorer) -> dict[int, float]:
    """Return the share of right answers of a classifier by number of appended words (Figure 1)."""
    pairs = appended_pairs(rows)
    is_right = right(pairs.labels, scorer(pairs))
    numbers = np.array([row.words for row in rows])
    return {int(number): float(is_right[numbers == number].mean()) for number in np.unique(numbers)}


def right_tables(
    models: Sequence[Mapping[str, Any]], groups: int, appended: Sequence[AppendedRow]
) -> list[list[Row]]:
    """Return the shares of right answers, in percent; the first row has the numbers of pairs."""
    by_swaps = [dict(enumerate(model["swaps"])) for model in models]
    by_words = [model["words"] for model in models]
    names = [model["model"] for model in models]
    tables = (
        ("Right by swaps", by_swaps, dict.fromkeys(by_swaps[0], groups)),
        ("Right by words", by_words, Counter(row.words for row in appended)),
    )
    return [
        _share_table(title, names, shares, pairs) for title, shares, pairs in tables if shares[0]
    ]


def _share_table(
    title: str,
    names: Sequence[str],
    shares: Sequence[Mapping[int, float]],
    pairs: Mapping[int, int],
) -> list[Row]:
    rows = zip(names, shares, strict=True)
    return [
        (title, *map(str, shares[0])),
        ("pairs", *(f"{pairs[number]:,}" for number in shares[0])),
        *((name, *(f"{100 * value:.1f}" for value in row.values())) for name, row in rows),
    ]


def table(figures: Sequence[Figures]) -> list[Row]:
    header = ("Scorer", "R-Precision", "Spearman", "Groups", "Not scored", "All scores equal")
    return [header, *map(_row, figures)]


def _row(figures: Figures) -> Row:
    counts = (figures.groups, figures.unscored, figures.undefined)
    return (figures.scorer, str(figures.r_precision), str(figures.spearman), *map(str, counts))
