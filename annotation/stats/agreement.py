"""Measures of inter-annotator agreement, from tallies of labels.

No measure depends on the order of pairs, so all take a `VoteTable`: the number of pairs with each
tally. Five binary judgments make six tallies, whatever the size of the project:
{(5, 0): 31000, (4, 1): 5000, ...}, label 0 first.

A chance-corrected measure is None if chance alone gives full agreement (all labels are equal) or if
nothing can be compared (no pair was judged twice).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

Tally = tuple[int, ...]
VoteTable = Mapping[Tally, int]
Distance = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def human_agreement(votes: VoteTable) -> float | None:
    """Return the share of labels that equal the majority label of their pair (PAWS, Table 3).

    In a tie, the labels of one side count. None without judgments.

    >>> human_agreement({(5, 0): 1, (1, 4): 1})
    0.9
    """
    labels = sum(sum(tally) * pairs for tally, pairs in votes.items())
    agreeing = sum(max(tally) * pairs for tally, pairs in votes.items())
    return agreeing / labels if labels else None


def fleiss_kappa(votes: VoteTable) -> float | None:
    """Return the agreement beyond chance of a fixed number of raters (Fleiss 1971).

    Ignores pairs with fewer than two judgments. Raises ValueError if the others have different
    numbers of judgments: use `krippendorff_alpha` for those.
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
    """Return the agreement beyond chance of any number of raters, with missing labels allowed.

    `distance` computes squared distances between labels from how often each was given: `nominal`
    (the default) or `ordinal`. Ignores pairs with fewer than two judgments. Krippendorff,
    "Computing Krippendorff's Alpha-Reliability", 2011.
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
    """Return distance 1 for any two labels: shape (..., labels) -> (..., labels, labels)."""
    labels = totals.shape[-1]
    return np.broadcast_to(1 - np.eye(labels), (*totals.shape, labels))


def ordinal(totals: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return distances by the number of labels given in between: (..., labels, labels)."""
    middles = np.cumsum(totals, axis=-1) - totals / 2
    return (middles[..., :, None] - middles[..., None, :]) ** 2


def cohen_kappa(answers: Iterable[tuple[int, int]]) -> float | None:
    """Return Cohen's kappa of two raters from both labels of each pair (Cohen 1960)."""
    return cohen_kappa_of(Counter(answers))


def cohen_kappa_of(counts: Mapping[tuple[int, int], int]) -> float | None:
    """Return Cohen's kappa from pair counts by both labels: {(0, 0): 40, (0, 1): 3, ...}."""
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
    """Return tallies, shape (tallies, labels), and the number of pairs with each.

    Tallies with fewer than `fewest` judgments are left out.
    """
    # Sorted, because the samples of the bootstrap depend on the order.
    ordered = sorted(votes.items(), reverse=True)
    usable = {tally: pairs for tally, pairs in ordered if pairs and sum(tally) >= fewest}
    labels = max(map(len, usable), default=0)
    padded = [[*tally, *[0] * (labels - len(tally))] for tally in usable]
    tallies = np.array(padded, dtype=float).reshape(len(usable), labels)
    return tallies, np.array(list(usable.values()), dtype=float)


def beyond_chance(*, observed: float, expected: float) -> float | None:
    """Return the share reached of the agreement that chance leaves open; None if it leaves none."""
    return None if expected == 1 else float((observed - expected) / (1 - expected))
