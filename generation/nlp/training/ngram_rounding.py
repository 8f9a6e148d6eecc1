"""Rounds a model as its file does; each order compensates for rounding in the order below.

If rounded independently, the errors of a word's four or five terms would add up, and those of the
most frequent words would shift every sentence's score.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from generation.nlp.ngram_file import NgramArrays, rounded

_Floats = NDArray[np.floating[Any]]


def rounded_together(arrays: NgramArrays) -> NgramArrays:
    """Return the storable model whose kept n-grams are nearest to those of `arrays`."""
    exact2 = _bigrams_backed_off(arrays) + arrays.bigram_gain
    exact3 = _trigrams_backed_off(arrays) + arrays.trigram_gain
    result = replace(
        arrays,
        unigram=rounded("unigram", arrays.unigram),
        word_backoff=rounded("word_backoff", arrays.word_backoff),
        pair_backoff=rounded("pair_backoff", arrays.pair_backoff),
    )
    gain2 = rounded("bigram_gain", exact2 - _bigrams_backed_off(result))
    result = replace(result, bigram_gain=gain2)
    gain3 = rounded("trigram_gain", exact3 - _trigrams_backed_off(result))
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
