"""Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998, section 3), as arrays."""

from dataclasses import dataclass

import numpy as np

from generation.nlp.training.ngram_counts import Counts, Mask, Values


@dataclass(frozen=True, slots=True)
class Order:
    """One smoothed order.

    `probability` is that of the last word of each n-gram after its context, `backed_off` the part
    of it from the shorter context, and `backoff` the weight of the shorter context after each
    context (1 after unseen contexts).
    """

    probability: Values  # (n,)
    backed_off: Values  # (n,)
    backoff: Values  # (contexts,)


def discounts(count: Values) -> Values:
    """Return the discounts of counts 0, 1, 2 and 3 or more: D = k - (k + 1) Y n[k+1] / n[k].

    Falls back to 0.5, 1 and 1.5 if the counts of counts allow no estimate (a tiny text).
    """
    n = [float(np.count_nonzero(count == k)) for k in range(5)]
    if min(n[1:]) == 0:
        return np.array([0.0, 0.5, 1.0, 1.5])
    y = n[1] / (n[1] + 2 * n[2])
    estimate = [k - (k + 1) * y * n[k + 1] / n[k] for k in (1, 2, 3)]
    return np.array([0.0, *np.clip(estimate, 0.1, (0.99, 1.99, 2.99))])


def discounted(count: Values, taken: Values) -> Values:
    """Return the discount of each count."""
    return taken[np.minimum(count, 3).astype(np.intp)]


def smooth(ngrams: Counts, kept: Mask, taken: Values, lower: Values, contexts: int) -> Order:
    """Interpolate kept n-grams with `lower`, the probability of each one's suffix.

    The whole count of a pruned n-gram goes to the shorter context.
    """
    loss = np.where(kept, discounted(ngrams.count, taken), ngrams.count)
    total = np.bincount(ngrams.context, ngrams.count, contexts)
    freed = np.bincount(ngrams.context, loss, contexts)
    backoff = np.divide(freed, total, out=np.ones(contexts), where=total > 0)
    own = (ngrams.count - loss) / total[ngrams.context]
    backed_off = backoff[ngrams.context] * lower
    return Order(own + backed_off, backed_off, backoff)
