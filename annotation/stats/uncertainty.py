"""95 % intervals of the agreement measures, from tallies of labels.

The random sample consists of pairs, and labels of one pair are correlated. So no interval treats
labels as independent.

The bootstrap (Efron 1979) draws as many pairs as there are, with replacement, 1,000 times. The
tallies of a sample are one multinomial draw, so 50,000 pairs cost no more than 50. Samples for
which a measure is undefined are ignored. There is no interval for fewer than ten pairs, or if every
sample gives the same value.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from annotation.stats.agreement import Distance, VoteTable, as_arrays, nominal
from annotation.stats.intervals import wilson

# With fewer pairs, resampling says little about the population.
FEWEST_PAIRS = 10
DRAWS = 1000
TAILS = (2.5, 97.5)

Array = NDArray[np.float64]
Interval = tuple[float, float]
# Kinds of pairs, shape (kinds, labels), and the number drawn of each, shape (samples, kinds) ->
# one value for each sample, NaN where undefined.
OfSamples = Callable[[Array, Array], Array]


def agreement_interval(votes: VoteTable) -> Interval | None:
    """Return the Wilson interval of `agreement.human_agreement` for the effective number of labels.

    That is their number divided by the design effect: the variance of the pairs' shares over that
    of independent labels, at least 1 (Korn and Graubard 1998). Works for few pairs, and if all
    labels agree. None without a pair judged twice.
    """
    tallies, pairs = as_arrays(votes)
    if not len(pairs):
        return None
    labels = tallies.sum(axis=1)
    total = float(labels @ pairs)
    share = float(tallies.max(axis=1) @ pairs) / total
    worth = round(total / _design_effect(tallies, pairs, share))
    return wilson(round(share * worth), worth)


def human_interval(votes: VoteTable, *, seed: int) -> Interval | None:
    """Return the bootstrap interval of `agreement.human_agreement`."""
    return bootstrap(*as_arrays(votes, fewest=1), _shares, seed=seed)


def fleiss_interval(votes: VoteTable, *, seed: int) -> Interval | None:
    """Return the interval of `agreement.fleiss_kappa`; None if numbers of judgments differ."""
    tallies, pairs = as_arrays(votes)
    if len(set(tallies.sum(axis=1))) > 1:
        return None
    return bootstrap(tallies, pairs, _fleiss, seed=seed)


def alpha_interval(votes: VoteTable, *, seed: int, distance: Distance = nominal) -> Interval | None:
    """Return the interval of `agreement.krippendorff_alpha` for the same distance."""
    return bootstrap(*as_arrays(votes), partial(_alphas, distance=distance), seed=seed)


def kappa_interval(counts: Mapping[tuple[int, int], int], *, seed: int) -> Interval | None:
    """Return the interval of `agreement.cohen_kappa_of`, by the bootstrap over pairs."""
    cells = {cell: pairs for cell, pairs in sorted(counts.items()) if pairs}
    pairs = np.array(list(cells.values()), dtype=float)
    return bootstrap(np.array(list(cells), dtype=float), pairs, _cohen, seed=seed)


def bootstrap(kinds: Array, pairs: Array, of_samples: OfSamples, *, seed: int) -> Interval | None:
    """Return percentiles of a measure over 1,000 samples of the pairs, drawn with `seed`.

    `pairs` is the number of pairs of each of the `kinds`.
    """
    if pairs.sum() < FEWEST_PAIRS:
        return None
    values = of_samples(kinds, _drawn(tuple(pairs), seed))
    defined = values[~np.isnan(values)]
    low, high = np.percentile(defined, TAILS) if len(defined) else (0.0, 0.0)
    return None if low == high else (float(low), float(high))


@lru_cache(maxsize=1)
def _drawn(pairs: tuple[float, ...], seed: int) -> Array:
    """Draw samples, shape (DRAWS, kinds). Cached: consecutive measures of a table share them."""
    total = int(sum(pairs))
    shares = np.array(pairs) / total
    drawn = np.random.default_rng(seed).multinomial(total, shares, size=DRAWS).astype(float)
    drawn.flags.writeable = False
    return drawn


def _design_effect(tallies: Array, pairs: Array, share: float) -> float:
    """Use the linearised variance of a ratio: pairs may have different numbers of labels."""
    labels = tallies.sum(axis=1)
    alone = share * (1 - share) * float(labels @ pairs)
    if alone == 0:
        return 1.0
    together = float(pairs @ (tallies.max(axis=1) - share * labels) ** 2)
    return max(1.0, together / alone)


def _shares(tallies: Array, drawn: Array) -> Array:
    shares: Array = (drawn @ tallies.max(axis=1)) / (drawn @ tallies.sum(axis=1))
    return shares


def _fleiss(tallies: Array, drawn: Array) -> Array:
    raters = tallies.sum(axis=1)
    agreeing = (tallies * (tallies - 1)).sum(axis=1) / (raters * (raters - 1))
    shares = drawn @ tallies / (drawn @ raters)[:, None]
    return _beyond_chance(drawn @ agreeing / drawn.sum(axis=1), (shares**2).sum(axis=1))


def _alphas(tallies: Array, drawn: Array, distance: Distance) -> Array:
    totals, weights = drawn @ tallies, drawn / (tallies.sum(axis=1) - 1)
    together = np.einsum("st,ti,tj->sij", weights, tallies, tallies, optimize=True)
    distances = distance(totals)
    observed = np.einsum("sij,sij->s", together, distances)
    expected = np.einsum("si,sj,sij->s", totals, totals, distances) / (totals.sum(axis=1) - 1)
    return 1 - _divided(observed, expected)


def _cohen(cells: Array, drawn: Array) -> Array:
    total = drawn.sum(axis=1)
    expected = sum(
        (drawn @ (cells[:, 0] == label)) * (drawn @ (cells[:, 1] == label))
        for label in np.unique(cells)
    )
    return _beyond_chance(drawn @ (cells[:, 0] == cells[:, 1]) / total, expected / total**2)


def _beyond_chance(observed: Array, expected: Array) -> Array:
    return _divided(observed - expected, 1 - expected)


def _divided(part: Array, whole: Array) -> Array:
    """Divide, with NaN where the divisor is 0."""
    quotient: Array = np.divide(part, whole, out=np.full_like(part, np.nan), where=whole != 0)
    return quotient
