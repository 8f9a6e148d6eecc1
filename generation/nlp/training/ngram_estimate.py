"""Estimates a trigram model from counts: prunes, smooths and builds the model's arrays."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from generation.nlp.ngram_file import NgramArrays
from generation.nlp.training import ngram_pruning
from generation.nlp.training.ngram_counts import Counts, Mask
from generation.nlp.training.ngram_smoothing import Order, discounts, smooth

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

    keep3 = ngram_pruning.losses(trigrams, taken3, p2[trigrams.suffix]) > least.worth
    keep3 &= trigrams.count >= least.trigram_count
    bigrams = bigrams.with_count(ngram_pruning.passed_on(trigrams, keep3, bigrams.count))
    keep2 = ngram_pruning.losses(bigrams, taken2, p1[bigrams.suffix]) > least.worth
    keep2 |= ngram_pruning.needed(trigrams.only(keep3), len(keep2))
    unigrams = unigrams.with_count(ngram_pruning.passed_on(bigrams, keep2, unigrams.count))

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
