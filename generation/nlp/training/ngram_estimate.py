"""Estimates a trigram model from the counts of a text, as arrays over all n-grams of an order.

Interpolated modified Kneser-Ney smoothing (Chen and Goodman 1998, section 3). A rare trigram that
is left out passes its occurrences to its suffix, so that bigrams are estimated for the contexts
that back off to them (Siivola, Hirsimaki and Virpioja 2007, section III).
"""

from dataclasses import dataclass, replace
from typing import Any

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
    first = (bigram_keys >> np.uint64(16)).astype(np.intp)
    second = (bigram_keys & np.uint64(2**16 - 1)).astype(np.intp)
    preceding = np.bincount(suffix, minlength=len(bigram_keys))
    bigram_count = np.where(first == bos, bigram_count, preceding)
    return trigrams, Counts(first, second, bigram_count.astype(np.float64))


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


def smooth(ngrams: Counts, kept: Mask, taken: Values, lower: Values, contexts: int) -> Order:
    """Interpolate kept n-grams with `lower`, the probability of each one's suffix.

    The whole count of a pruned n-gram goes to the shorter context.
    """
    discounted = taken[np.minimum(ngrams.count, 3).astype(np.intp)]
    loss = np.where(kept, discounted, ngrams.count)
    total = np.bincount(ngrams.context, ngrams.count, contexts)
    freed = np.bincount(ngrams.context, loss, contexts)
    backoff = np.divide(freed, total, out=np.ones(contexts), where=total > 0)
    own = (ngrams.count - loss) / total[ngrams.context]
    backed_off = backoff[ngrams.context] * lower
    return Order(own + backed_off, backed_off, backoff)


def estimate(
    trigrams: Counts, bigrams: Counts, *, words: int, bos: int, least_count: int
) -> NgramArrays:
    """Return the model of all bigrams, and of trigrams with at least `least_count` occurrences."""
    taken2, taken3 = discounts(bigrams.count), discounts(trigrams.count)
    kept = trigrams.count >= least_count
    # Each was counted once among the bigrams, as one more word before its suffix.
    passed_on = np.bincount(
        trigrams.suffix[~kept], trigrams.count[~kept] - 1, minlength=len(bigrams.count)
    )
    bigrams = replace(bigrams, count=bigrams.count + passed_on)

    order1 = _smooth_unigrams(np.bincount(bigrams.suffix, minlength=words).astype(float), bos)
    order2 = smooth(bigrams, _all(bigrams), taken2, order1.probability[bigrams.suffix], words)
    p2 = order2.probability[trigrams.suffix]
    order3 = smooth(trigrams, kept, taken3, p2, len(bigrams.count))
    return _arrays(bigrams, trigrams, kept, (order1, order2, order3))


def _smooth_unigrams(count: Values, bos: int) -> Order:
    """Interpolate with the uniform distribution over all words but BOS, which never occurs."""
    nothing = np.zeros(len(count), np.intp)
    unigrams = Counts(nothing, nothing, count)
    uniform = np.full(len(count), 1 / (len(count) - 1))
    uniform[bos] = np.finfo(np.float64).tiny
    return smooth(unigrams, _all(unigrams), discounts(count), uniform, 1)


def _all(ngrams: Counts) -> Mask:
    return np.ones(len(ngrams.count), dtype=bool)


def _arrays(
    bigrams: Counts, trigrams: Counts, kept: Mask, orders: tuple[Order, Order, Order]
) -> NgramArrays:
    """Express probabilities as gains over backing off."""
    order1, order2, order3 = orders
    suffix = trigrams.suffix[kept]
    bigram_counts = np.bincount(bigrams.context, minlength=len(order1.probability))
    first_bigram = np.cumsum(bigram_counts) - bigram_counts
    return NgramArrays(
        unigram=np.log(order1.probability),
        word_backoff=np.log(order2.backoff),
        bigram_counts=bigram_counts,
        bigram_second=bigrams.suffix.astype(np.uint16),
        bigram_gain=np.log(order2.probability / order2.backed_off),
        pair_backoff=np.log(order3.backoff),
        trigram_counts=np.bincount(trigrams.context[kept], minlength=len(bigrams.count)),
        trigram_rank=(suffix - first_bigram[bigrams.context[suffix]]).astype(np.uint16),
        trigram_gain=np.log(order3.probability / order3.backed_off)[kept],
    )


def rounded_together(arrays: NgramArrays) -> NgramArrays:
    """Return the storable model whose n-grams are nearest to those of `arrays`.

    Each order compensates for rounding in the order below. If rounded independently, the errors of
    a word's four or five terms would add up, and those of the most frequent words would shift every
    sentence's score.
    """
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
