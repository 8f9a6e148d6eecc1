"""Revised Kneser pruning (Siivola, Hirsimaki and Virpioja 2007, "On growing and pruning Kneser-Ney
smoothed n-gram models", section III), all n-grams of an order at a time.

Pruning a Kneser-Ney model by relative entropy (Stolcke 1998) is at odds with its lower orders: they
say how many contexts a word has, not how often the model backs off to it. Here an n-gram that goes
passes its occurrences on to its suffix, so that the lower order is estimated for just those
contexts that will ask it.
"""

import numpy as np

from generation.nlp.training.ngram_counts import Counts, Mask, Values
from generation.nlp.training.ngram_smoothing import discounted


def losses(ngrams: Counts, taken: Values, lower: Values) -> Values:
    """Log likelihood (nats) that goes with each n-gram alone: shape (n,).

    Each is weighed by how often the smoothed model expects it: weighed by how often it was seen,
    chance n-grams stay that crowd out better ones.
    """
    total = np.bincount(ngrams.context, ngrams.count)[ngrams.context]
    loss = discounted(ngrams.count, taken)
    backoff = np.bincount(ngrams.context, loss)[ngrams.context] / total
    own = (ngrams.count - loss) / total
    probability = own + backoff * lower
    return total * probability * np.log(probability / ((own + backoff) * lower))


def passed_on(ngrams: Counts, kept: Mask, lower_count: Values) -> Values:
    """Counts of the order below after the n-grams that are not kept leave theirs to it.

    Each had counted there once, as one more word before the suffix; it now counts in full.
    """
    gone = ~kept
    extra = np.bincount(ngrams.suffix[gone], ngrams.count[gone] - 1, len(lower_count))
    return lower_count + extra


def needed(trigrams: Counts, bigrams: int) -> Mask:
    """The bigrams that are the context or the suffix of a trigram: they stay."""
    mask = np.zeros(bigrams, dtype=bool)
    mask[trigrams.context] = True
    mask[trigrams.suffix] = True
    return mask
