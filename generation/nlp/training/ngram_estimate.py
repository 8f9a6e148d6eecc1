"""x"""

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from generation.nlp.ngram import NgramArrays, as_stored

Mask = NDArray[np.bool_]
Values = NDArray[np.float64]
Places = NDArray[np.intp]

_Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class Counts:
    """The n-grams of one order, sorted by their words, with indices into the lower order.

    `context` is the index of all words but the last, `suffix` that of all but the first; for
    bigrams both are words. `count` is the count for Kneser-Ney smoothing: occurrences of trigrams,
    distinct preceding words of bigrams.
    """

    context: Places  # (n,)
    suffix: Places  # (n,)
    count: Values  # (n,)

    def only(self, kept: Mask) -> "Counts":
        return Counts(self.context[kept], self.suffix[kept], self.count[kept])

    def with_count(self, count: Values) -> "Counts":
        return replace(self, count=count)


def trigrams_and_bigrams(words: NDArray[np.uint16], *, bos: int, eos: int) -> tuple[Counts, Counts]:
    """Count the n-grams of concatenated sentences; none crosses a sentence boundary.

    A bigram that begins a sentence has no word before it and keeps its occurrence count (as do the
    highest n-grams).
    """
    w = words.astype(np.uint64)
    pair = w[:-1] << np.uint64(16) | w[1:]
    inside = w[:-1] != eos
    bigram_keys, bigram_count = np.unique(pair[inside], return_counts=True)
    triple = pair[:-1] << np.uint64(16) | w[2:]
    trigram_keys, count = np.unique(triple[inside[:-1] & inside[1:]], return_counts=True)
    context = np.searchsorted(bigram_keys, trigram_keys >> np.uint64(16))
    suffix = np.searchsorted(bigram_keys, trigram_keys & np.uint64(2**32 - 1))
    trigrams = Counts(context, suffix, count.astype(np.float64))
    first, second = _split(bigram_keys)
    preceding = np.bincount(suffix, minlength=len(bigram_keys))
    bigram_count = np.where(first == bos, bigram_count, preceding)
    return trigrams, Counts(first, second, bigram_count.astype(np.float64))


def _split(keys: NDArray[Any]) -> tuple[Places, Places]:
    return (keys >> np.uint64(16)).astype(np.intp), (keys & np.uint64(2**16 - 1)).astype(np.intp)


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


_Orders: TypeAlias = tuple[Order, Order, Order]


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Minimum trigram occurrences, and minimum worth of n-grams (see ngram_pruning.losses)."""

    trigram_count: int
    worth: float


def estimate(
    trigrams: Counts, bigrams: Counts, *, words: int, bos: int, least: Thresholds
) -> NgramArrays:
    """Prune from the highest order down, then smooth from the lowest up (see ngram_pruning)."""
    unigrams = _unigrams(bigrams, words)
    p1 = _smooth_unigrams(unigrams, bos).probability
    taken2, taken3 = discounts(bigrams.count), discounts(trigrams.count)
    p2 = smooth(bigrams, _all(bigrams), taken2, p1[bigrams.suffix], words).probability

    keep3 = losses(trigrams, taken3, p2[trigrams.suffix]) > least.worth
    keep3 &= trigrams.count >= least.trigram_count
    bigrams = bigrams.with_count(passed_on(trigrams, keep3, bigrams.count))
    keep2 = losses(bigrams, taken2, p1[bigrams.suffix]) > least.worth
    keep2 |= needed(trigrams.only(keep3), len(keep2))
    unigrams = unigrams.with_count(passed_on(bigrams, keep2, unigrams.count))

    order1 = _smooth_unigrams(unigrams, bos)
    order2 = smooth(bigrams, keep2, taken2, order1.probability[bigrams.suffix], words)
    order3 = smooth(trigrams, keep3, taken3, order2.probability[trigrams.suffix], len(keep2))
    return _arrays(bigrams, keep2, trigrams, keep3, (order1, order2, order3))


def _unigrams(bigrams: Counts, words: int) -> Counts:
    count = np.bincount(bigrams.suffix, minlength=words).astype(np.float64)
    return Counts(np.zeros(words, np.intp), np.zeros(words, np.intp), count)


def _smooth_unigrams(unigrams: Counts, bos: int) -> Order:
    """Interpolate with the uniform distribution over all words but BOS, which never occurs."""
    uniform = np.full(len(unigrams.count), 1 / (len(unigrams.count) - 1))
    uniform[bos] = np.finfo(np.float64).tiny
    return smooth(unigrams, _all(unigrams), discounts(unigrams.count), uniform, 1)


def _all(ngrams: Counts) -> Mask:
    return np.ones(len(ngrams.count), dtype=bool)


def _arrays(
    bigrams: Counts, keep2: Mask, trigrams: Counts, keep3: Mask, orders: _Orders
) -> NgramArrays:
    """Renumber the kept n-grams, and express probabilities as gains over backing off."""
    order1, order2, order3 = orders
    place = np.cumsum(keep2) - 1
    gain2 = np.log(order2.probability / order2.backed_off)[keep2]
    gain3 = np.log(order3.probability / order3.backed_off)[keep3]
    context2, suffix3 = bigrams.context[keep2], place[trigrams.suffix[keep3]]
    counts2 = np.bincount(context2, minlength=len(order1.probability))
    return NgramArrays(
        unigram=np.log(order1.probability),
        word_backoff=np.log(order2.backoff),
        bigram_counts=counts2,
        bigram_second=bigrams.suffix[keep2].astype(np.uint16),
        bigram_gain=gain2,
        pair_backoff=np.log(order3.backoff[keep2]),
        trigram_counts=np.bincount(place[trigrams.context[keep3]], minlength=len(context2)),
        trigram_rank=(suffix3 - (np.cumsum(counts2) - counts2)[context2[suffix3]]).astype(
            np.uint16
        ),
        trigram_gain=gain3,
    )


def rounded_together(arrays: NgramArrays) -> NgramArrays:
    """Return the storable model whose kept n-grams are nearest to those of `arrays`."""
    exact2 = _bigrams_backed_off(arrays) + arrays.bigram_gain
    exact3 = _trigrams_backed_off(arrays) + arrays.trigram_gain
    result = replace(
        arrays,
        unigram=as_stored("unigram", arrays.unigram),
        word_backoff=as_stored("word_backoff", arrays.word_backoff),
        pair_backoff=as_stored("pair_backoff", arrays.pair_backoff),
    )
    gain2 = as_stored("bigram_gain", exact2 - _bigrams_backed_off(result))
    result = replace(result, bigram_gain=gain2)
    gain3 = as_stored("trigram_gain", exact3 - _trigrams_backed_off(result))
    return replace(result, trigram_gain=gain3)


def _bigrams_backed_off(arrays: NgramArrays) -> _Floats:
    backoff = np.repeat(arrays.word_backoff, arrays.bigram_counts)
    return backoff.astype(np.float64) + arrays.unigram[arrays.bigram_second]


def _trigrams_backed_off(arrays: NgramArrays) -> _Floats:
    shorter = _bigrams_backed_off(arrays) + arrays.bigram_gain
    starts = np.cumsum(arrays.bigram_counts) - arrays.bigram_counts
    middle = np.repeat(arrays.bigram_second, arrays.trigram_counts)
    backoff = np.repeat(arrays.pair_backoff, arrays.trigram_counts)
    shorter_of_each = shorter[starts[middle] + arrays.trigram_rank]
    return np.asarray(backoff.astype(np.float64) + shorter_of_each)
