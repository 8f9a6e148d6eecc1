"""Revised Kneser pruning, applied to all n-grams of an order together.

Siivola, Hirsimaki and Virpioja 2007, "On growing and pruning Kneser-Ney smoothed n-gram models",
section III. Pruning a Kneser-Ney model by relative entropy (Stolcke 1998) conflicts with its lower
orders, which count the contexts of a word, not back-offs to it. Here a pruned n-gram passes its
occurrences to its suffix, so that the lower order is estimated for contexts that back off to it.
"""

import numpy as np

from generation.nlp.training.ngram_counts import Counts, Mask, Values
from generation.nlp.training.ngram_smoothing import discounted


def losses(ngrams: Counts, taken: Values, lower: Values) -> Values:
    """Return the log-likelihood (nats) lost by pruning each n-gram alone: shape (n,).

    Losses are weighted by the count that the smoothed model expects: weighting by observed counts
    would keep chance n-grams over better ones.
    """
    total = np.bincount(ngrams.context, ngrams.count)[ngrams.context]
    loss = discounted(ngrams.count, taken)
    backoff = np.bincount(ngrams.context, loss)[ngrams.context] / total
    own = (ngrams.count - loss) / total
    probability = own + backoff * lower
    return total * probability * np.log(probability / ((own + backoff) * lower))


def passed_on(ngrams: Counts, kept: Mask, lower_count: Values) -> Values:
    """Return the counts of the lower order after pruned n-grams pass their counts on.

    Each was counted there once, as one more word before the suffix; it now counts in full.
    """
    gone = ~kept
    extra = np.bincount(ngrams.suffix[gone], ngrams.count[gone] - 1, len(lower_count))
    return lower_count + extra


def needed(trigrams: Counts, bigrams: int) -> Mask:
    """Return a mask of the bigrams that are the context or suffix of a trigram, which are kept."""
    mask = np.zeros(bigrams, dtype=bool)
    mask[trigrams.context] = True
    mask[trigrams.suffix] = True
    return mask
