"""How well scores tell paraphrases: accuracy, F1, areas under curves (PAWS 5), and ranks.

`labels` hold 0 and 1, `scores` 0 to 1, both of shape (pairs,). A measure is None where undefined.
"""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.stats.binary import Confusion
from evaluation.contract import THRESHOLD

Array = NDArray[Any]
# Of a 95 % interval.
DEVIATIONS = 1.96
# Of a label, so that its logarithm is finite.
LEAST_LIKELIHOOD = 1e-12


def right(labels: Array, scores: Array) -> NDArray[np.bool_]:
    return np.asarray((np.asarray(scores) > THRESHOLD) == (np.asarray(labels) == 1))


def confusion(labels: Array, scores: Array) -> Confusion:
    positive, true = np.asarray(scores) > THRESHOLD, np.asarray(labels) == 1
    return Confusion(
        tp=int((positive & true).sum()),
        fp=int((positive & ~true).sum()),
        fn=int((~positive & true).sum()),
        tn=int((~positive & ~true).sum()),
    )


def accuracy_and_likelihood(labels: Array, scores: Array) -> tuple[float, float]:
    """Accuracy alone stops early: at first, models call all pairs of small sets paraphrases."""
    accuracy = confusion(labels, scores).scores.accuracy or 0.0
    likelihoods = np.where(labels == 1, scores, 1 - scores).clip(LEAST_LIKELIHOOD)
    return accuracy, float(np.log(likelihoods).mean())


def average_precision(labels: Array, scores: Array) -> float | None:
    """Return the area under the curve of precision and recall by steps; equal scores are one step.

    >>> average_precision(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.5]))
    0.8333333333333333
    """
    precision, recall = _curve(labels, scores)
    return float(np.diff(recall, prepend=0) @ precision) if len(recall) else None


def trapezoid(labels: Array, scores: Array) -> float | None:
    """Return the same area with straight lines between steps, from precision 1 at recall 0."""
    precision, recall = _curve(labels, scores)
    if not len(recall):
        return None
    return float(np.trapezoid(np.concatenate([[1.0], precision]), np.concatenate([[0.0], recall])))


def _curve(labels: Array, scores: Array) -> tuple[Array, Array]:
    """Return precision and recall at each different score, highest first; empty if none is 1."""
    order = np.argsort(-np.asarray(scores), kind="stable")
    true, sorted_scores = np.cumsum(np.asarray(labels)[order] == 1), np.asarray(scores)[order]
    if not len(true) or not true[-1]:
        return np.empty(0), np.empty(0)
    ends = np.flatnonzero(np.append(np.diff(sorted_scores) != 0, True))
    return true[ends] / (ends + 1), true[ends] / true[-1]


def r_precision(scores: Array) -> float:
    """Return 1.0 if the first score is strictly the highest, else 0.0; nan counts as no score."""
    rest = scores[1:]
    return float(not np.isnan(scores).any() and bool((scores[0] > rest).all()))


def spearman(scores: Array, degrees: Array) -> float:
    """Return the correlation of ranks, equal values having their mean rank; 0.0 if undefined."""
    if np.isnan(scores).any():
        return 0.0
    ranks1, ranks2 = _ranks(scores), _ranks(degrees)
    ranks1, ranks2 = ranks1 - ranks1.mean(), ranks2 - ranks2.mean()
    size = np.sqrt((ranks1 @ ranks1) * (ranks2 @ ranks2))
    return float(ranks1 @ ranks2 / size) if size else 0.0


def margin(pairs: int, share: float = 0.5) -> float:
    """Return by how much chance in the choice of test pairs moves a share up or down (95 %)."""
    return DEVIATIONS * sqrt(share * (1 - share) / pairs)


def _ranks(values: Array) -> Array:
    _, group, counts = np.unique(values, return_inverse=True, return_counts=True)
    last: Array = np.cumsum(counts)
    return (last - (counts - 1) / 2)[group]
