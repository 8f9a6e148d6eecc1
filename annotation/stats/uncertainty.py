"""How sure the measures of agreement are, from tallies of labels: intervals at 95 %.

What was drawn at random are pairs, and the labels of a pair resemble each other. So neither
interval takes labels as if each had been drawn alone.
"""

import numpy as np
from numpy.typing import NDArray

from annotation.stats.agreement import VoteTable, as_arrays, nominal
from annotation.stats.intervals import wilson

# With fewer pairs, resampling them says little about the pairs that were not drawn.
FEWEST_PAIRS = 10
DRAWS = 1000
TAILS = (2.5, 97.5)

Array = NDArray[np.float64]


def agreement_interval(votes: VoteTable) -> tuple[float, float] | None:
    """Of `agreement.human_agreement`: Wilson's, for as many labels as the pairs are worth.

    Their number is divided by the design effect: the variance of the pairs' shares over that of
    labels drawn alone, and at least 1 (Korn and Graubard 1998). None without a pair judged twice.
    """
    tallies, pairs = as_arrays(votes)
    if not len(pairs):
        return None
    labels = tallies.sum(axis=1)
    total = float(labels @ pairs)
    share = float(tallies.max(axis=1) @ pairs) / total
    worth = round(total / _design_effect(tallies, pairs, share))
    return wilson(round(share * worth), worth)


def alpha_interval(votes: VoteTable, *, seed: int) -> tuple[float, float] | None:
    """Of `agreement.krippendorff_alpha`: percentiles of 1,000 samples of the pairs with
    replacement, drawn with `seed`.

    None where pairs are fewer than ten, or all so alike that every sample says the same.
    """
    tallies, pairs = as_arrays(votes)
    total = int(pairs.sum())
    if total < FEWEST_PAIRS:
        return None
    drawn = np.random.default_rng(seed).multinomial(total, pairs / total, size=DRAWS)
    alphas = _alphas(tallies, drawn.astype(float))
    low, high = np.percentile(alphas, TAILS) if len(alphas) else (0.0, 0.0)
    return None if low == high else (float(low), float(high))


def _design_effect(tallies: Array, pairs: Array, share: float) -> float:
    """By the linearised variance of a ratio, so that pairs may differ in their labels."""
    labels = tallies.sum(axis=1)
    alone = share * (1 - share) * float(labels @ pairs)
    if alone == 0:
        return 1.0
    together = float(pairs @ (tallies.max(axis=1) - share * labels) ** 2)
    return max(1.0, together / alone)


def _alphas(tallies: Array, drawn: Array) -> Array:
    """Alpha of each sample; those whose labels are all equal have none and are left out.

    `tallies` has shape (tallies, labels), `drawn` how often each was drawn: (samples, tallies).
    """
    labels = tallies.sum(axis=1)
    distances = nominal(tallies.sum(axis=0))
    within = np.einsum("ti,tj,ij->t", tallies, tallies, distances) / (labels - 1)
    totals = drawn @ tallies
    expected = np.einsum("si,sj,ij->s", totals, totals, distances) / (totals.sum(axis=1) - 1)
    varied = expected > 0
    alphas: Array = 1 - (drawn @ within)[varied] / expected[varied]
    return alphas
