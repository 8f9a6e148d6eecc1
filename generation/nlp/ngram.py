"""A trigram language model with back-off, stored in sorted arrays and queried with numpy.

For each stored bigram and trigram the model has the gain in log-probability of the last word over
the shorter context, and for each context the weight of the shorter one (backoff):

    log p(w)     = unigram[w]
    log p(w|v)   = word_backoff[v]   + log p(w)   + bigram_gain[v, w]      (0 if not stored)
    log p(w|u,v) = pair_backoff[u,v] + log p(w|v) + trigram_gain[u, v, w]  (0 if not stored)

This is the back-off form of an interpolated model (Chen and Goodman 1998, section 2.8).
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from generation.nlp import ngram_file
from generation.nlp.ngram_file import NgramArrays
from generation.nlp.vocabulary import Vocabulary

Indices: TypeAlias = NDArray[np.integer[Any]]


class NgramModel:
    """Log-probabilities of many trigrams, or of all trigrams of a set of words."""

    order: ClassVar[int] = 3

    def __init__(
        self, vocabulary: Vocabulary, arrays: NgramArrays, *, identity: dict[str, str] | None = None
    ) -> None:
        self.vocabulary = vocabulary
        self.identity = identity or {"name": "in memory"}
        self._unigram = arrays.unigram
        self._word_backoff = arrays.word_backoff
        self._first_bigram = np.concatenate(([0], np.cumsum(arrays.bigram_counts, dtype=np.int64)))
        self._bigrams = _keys(arrays.bigram_counts, arrays.bigram_second, np.uint32)
        self._trigrams = _keys(arrays.trigram_counts, arrays.trigram_rank, np.uint64)
        self._bigram_gain = _with_zero(arrays.bigram_gain)
        self._pair_backoff = _with_zero(arrays.pair_backoff)
        self._trigram_gain = _with_zero(arrays.trigram_gain)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Load a model file. Raises ValueError if it is not one."""
        words, arrays = ngram_file.load(path)
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return cls(Vocabulary(words), arrays, identity={"name": path.name, "sha256": digest})

    @property
    def bos(self) -> int:
        """The token before a sentence."""
        return self.vocabulary.bos

    @property
    def eos(self) -> int:
        """The token at the end of a sentence."""
        return self.vocabulary.eos

    @property
    def unk(self) -> int:
        """The class of unknown words without a known ending."""
        return self.vocabulary.unk

    def ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """Return the number of each word, or of its class if unknown: shape (len(words),)."""
        return self.vocabulary.ids(words)

    def log_probs(self, ngrams: Indices) -> NDArray[np.float64]:
        """Return log p(w|u,v) in nats of each row (u, v, w): shape (n, 3) to (n,).

        The context of a sentence's first word is (bos, bos), that of its second word (bos, first).
        """
        first, second, last = ngrams.T
        prefix, suffix = self._bigram(first, second), self._bigram(second, last)
        rank = suffix - self._first_bigram[second]
        trigram = np.where((prefix >= 0) & (suffix >= 0), self._trigram(prefix, rank), -1)
        shorter = self._backed_off(second, last, suffix) + self._pair_backoff[prefix]
        return np.asarray(shorter + self._trigram_gain[trigram])

    def table(self, ids: Indices) -> NDArray[np.float64]:
        """Return log p(k|i,j) in nats for all i, j, k of m words: shape (m + 1, m + 1, m + 1).

        Index m is the beginning of the sentence on the first two axes and its end on the last, so
        table[m, m, k] is for the first word and table[i, j, m] for the end.
        """
        m = len(ids)
        contexts, lasts = np.append(ids, self.bos), np.append(ids, self.eos)
        prefix = self._bigram(contexts[:, None], contexts)
        suffix = prefix.copy()
        suffix[:, m] = self._bigram(contexts, lasts[m:])
        shorter = self._backed_off(contexts[:, None], lasts, suffix)
        result = self._pair_backoff[prefix].astype(np.float64)[:, :, None] + shorter
        self._add_trigrams(result.reshape(-1, m + 1), prefix, suffix, contexts)
        return np.asarray(result)

    def _add_trigrams(
        self, result: NDArray[np.float64], prefix: Indices, suffix: Indices, contexts: Indices
    ) -> None:
        """Add the gains of stored trigrams to a table whose rows are pairs of words."""
        pairs = np.flatnonzero(prefix >= 0)
        middle = pairs % len(contexts)
        row, last = np.nonzero(suffix[middle] >= 0)
        rank = (suffix - self._first_bigram[contexts][:, None])[middle[row], last]
        trigram = self._trigram(prefix.ravel()[pairs[row]], rank)
        found = trigram >= 0
        result[pairs[row[found]], last[found]] += self._trigram_gain[trigram[found]]

    def _backed_off(self, first: Indices, last: Indices, bigram: Indices) -> NDArray[np.float64]:
        shorter = self._word_backoff[first].astype(np.float64) + self._unigram[last]
        return np.asarray(shorter + self._bigram_gain[bigram])

    def _bigram(self, first: Indices, second: Indices) -> NDArray[np.intp]:
        """Return the index of each pair among the bigrams, or -1 if not stored."""
        return _find(self._bigrams, first.astype(np.uint32) << 16 | second.astype(np.uint32))

    def _trigram(self, prefix: Indices, rank: Indices) -> NDArray[np.intp]:
        """Return the index of each trigram, or -1 if not stored."""
        return _find(self._trigrams, prefix.astype(np.uint64) << 16 | rank.astype(np.uint64))


def _keys(counts: Indices, lower: Indices, kind: type[np.unsignedinteger[Any]]) -> Indices:
    """Pack row number and 16 lower bits into one key, and append a maximal sentinel."""
    keys = np.repeat(
        np.arange(len(counts) + 1, dtype=kind), np.append(counts, counts.dtype.type(1))
    )
    keys <<= kind(16)
    keys[:-1] |= lower
    keys[-1] = np.iinfo(kind).max
    return keys


def _with_zero(values: NDArray[Any]) -> NDArray[Any]:
    """Append a zero, so that index -1 returns 0."""
    return np.append(values, values.dtype.type(0))


def _find(keys: Indices, wanted: Indices) -> NDArray[np.intp]:
    place = np.searchsorted(keys, wanted)
    return np.where(keys[place] == wanted, place, -1)
