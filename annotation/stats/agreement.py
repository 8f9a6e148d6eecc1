"""How far annotators agree, from tallies of their labels.

Every measure here looks at how often each label was given to a pair, never at the order of pairs,
so all take a `VoteTable`: how many pairs received each tally. Five binary judgments make six
tallies whatever the size of the project: {(5, 0): 31000, (4, 1): 5000, ...}, label 0 first.

A measure corrected for chance is None where chance alone gives full agreement, because all labels
are equal, or where nothing can be compared, because no pair was judged twice.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Tally = tuple[int, ...]
VoteTable = Mapping[Tally, int]
Distance = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def human_agreement(votes: VoteTable) -> float | None:
    """Share of individual labels that equal the majority label of their pair (PAWS, Table 3).

    In a tie the labels of one side count. None without a judgment.

    >>> human_agreement({(5, 0): 1, (1, 4): 1})
    0.9
    """
    labels = sum(sum(tally) * pairs for tally, pairs in votes.items())
    agreeing = sum(max(tally) * pairs for tally, pairs in votes.items())
    return agreeing / labels if labels else None


def fleiss_kappa(votes: VoteTable) -> float | None:
    """Agreement beyond chance of a fixed number of raters (Fleiss 1971).

    Pairs with fewer than two judgments are left out. Raises ValueError when the others have
    different numbers of judgments: `krippendorff_alpha` is the measure for those.
    """
    tallies, pairs = as_arrays(votes)
    if not len(pairs):
        return None
    raters = tallies.sum(axis=1)
    if len(set(raters)) > 1:
        raise ValueError("pairs with different numbers of judgments have no Fleiss' kappa")
    agreeing = ((tallies * (tallies - 1)).sum(axis=1) / (raters * (raters - 1))) @ pairs
    shares = pairs @ tallies / (pairs @ raters)
    return beyond_chance(observed=agreeing / pairs.sum(), expected=shares @ shares)


def krippendorff_alpha(votes: VoteTable, *, distance: Distance | None = None) -> float | None:
    """Agreement beyond chance of any number of raters, any of whom may be missing.

    `distance` gives the squared distance between labels from how often each was given: `nominal`
    (the default) or `ordinal`. Pairs with fewer than two judgments say nothing and are left out.
    Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.
    """
    tallies, pairs = as_arrays(votes)
    if not len(pairs):
        return None
    weights = pairs / (tallies.sum(axis=1) - 1)
    coincidences = (tallies.T * weights) @ tallies - np.diag(weights @ tallies)
    totals = pairs @ tallies
    distances = (distance or nominal)(totals)
    expected = (np.outer(totals, totals) * distances).sum() / (totals.sum() - 1)
    if expected == 0:
        return None
    return float(1 - (coincidences * distances).sum() / expected)


def nominal(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Any two labels are equally far apart: shape (..., labels) -> (..., labels, labels)."""
    labels = totals.shape[-1]
    return np.broadcast_to(1 - np.eye(labels), (*totals.shape, labels))


def ordinal(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Two labels are as far apart as labels were given between them: (..., labels, labels)."""
    middles = np.cumsum(totals, axis=-1) - totals / 2
    return (middles[..., :, None] - middles[..., None, :]) ** 2


def cohen_kappa(answers: Iterable[tuple[int, int]]) -> float | None:
    """Agreement beyond chance of two raters, from the two labels of each pair (Cohen 1960)."""
    return cohen_kappa_of(Counter(answers))


def cohen_kappa_of(counts: Mapping[tuple[int, int], int]) -> float | None:
    """The same from how many pairs have each two labels: {(0, 0): 40, (0, 1): 3, ...}."""
    total = sum(counts.values())
    if not total:
        return None
    first, second = Counter[int](), Counter[int]()
    for (one, other), times in counts.items():
        first[one] += times
        second[other] += times
    observed = sum(times for (one, other), times in counts.items() if one == other)
    expected = sum(first[label] * second[label] for label in first)
    return beyond_chance(observed=observed / total, expected=expected / total**2)


def as_arrays(
    votes: VoteTable, *, fewest: int = 2
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Tallies with two judgments or more, shape (tallies, labels), and how many pairs have each.

    `fewest` says of how many judgments a tally has to be instead.
    """
    # In an order of their own: samples are drawn of them in turn.
    ordered = sorted(votes.items(), reverse=True)
    usable = {tally: pairs for tally, pairs in ordered if pairs and sum(tally) >= fewest}
    labels = max(map(len, usable), default=0)
    padded = [[*tally, *[0] * (labels - len(tally))] for tally in usable]
    tallies = np.array(padded, dtype=float).reshape(len(usable), labels)
    return tallies, np.array(list(usable.values()), dtype=float)


def beyond_chance(*, observed: float, expected: float) -> float | None:
    """How much of the agreement that chance leaves open was reached; None if it leaves none."""
    return None if expected == 1 else float((observed - expected) / (1 - expected))
