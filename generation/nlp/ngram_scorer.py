"""The n-gram model behind the protocols of language models: one table a sentence, then indexing."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from generation.nlp.language_model import PhraseScorer
from generation.nlp.ngram import NgramModel


class NgramLanguageModel:
    """A LanguageModel over an NgramModel."""

    def __init__(self, model: NgramModel) -> None:
        self._model = model

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a model file. Raises ValueError when it is not one."""
        return cls(NgramModel.load(path))

    @property
    def identity(self) -> dict[str, str]:
        """Name and SHA-256 of the model file."""
        return self._model.identity

    def scorer(self, phrases: Sequence[tuple[str, ...]]) -> PhraseScorer:
        """A scorer for the sentences that these phrases (tuples of one or more words) can form."""
        return NgramScorer(self._model, phrases)

    def score(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Natural-log probability of each whole sentence, its end included: shape (len(sentences),)."""
        model = self._model
        lengths = np.fromiter((len(sentence) for sentence in sentences), np.intp, len(sentences))
        ids = model.ids(list(chain.from_iterable(sentences)))
        padded = [
            np.concatenate(([model.bos, model.bos], words, [model.eos]))
            for words in np.split(ids, np.cumsum(lengths)[:-1])
        ]
        windows = [np.lib.stride_tricks.sliding_window_view(words, model.order) for words in padded]
        log_probs = model.log_probs(np.concatenate(windows))
        return np.add.reduceat(log_probs, np.cumsum(lengths + 1) - lengths - 1)


@dataclass(frozen=True, slots=True)
class _Phrases:
    """Each phrase's words as rows of the sentence's table: shape (p,) each."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]  # the first again where there is one word only
    last_but_one: NDArray[np.intp]  # -1 where there is one word only
    last: NDArray[np.intp]


class NgramScorer:
    """A PhraseScorer whose rows are pairs of last words: each step is one look-up in a small array."""

    def __init__(self, model: NgramModel, phrases: Sequence[tuple[str, ...]]) -> None:
        ids = [model.ids(phrase) for phrase in phrases]
        words, places = np.unique(np.concatenate(ids), return_inverse=True)
        rows = np.split(places, np.cumsum([len(phrase) for phrase in ids])[:-1])
        self._size = len(words) + 1
        table = model.table(words)
        self._end = table[:, :, -1].ravel()
        self._phrases = _described(rows)
        self._log_probs = _appended(table, rows, self._phrases).reshape(-1, len(phrases))
        self.start()

    def start(self) -> None:
        """Set the beam to one row: the beginning of a sentence."""
        self._pairs = np.array([self._size**2 - 1])

    def peek(self, phrases: NDArray[np.intp]) -> NDArray[np.float64]:
        """Natural-log probability of each phrase after each row: shape (rows, len(phrases))."""
        return self._log_probs[self._pairs[:, None], phrases]

    def advance(self, parents: NDArray[np.intp], phrases: NDArray[np.intp]) -> None:
        """Make new rows: row i is old row parents[i] followed by phrases[i]."""
        before = self._phrases.last_but_one[phrases]
        before = np.where(before < 0, self._pairs[parents] % self._size, before)
        self._pairs = before * self._size + self._phrases.last[phrases]

    def finish(self) -> NDArray[np.float64]:
        """Natural-log probability that the sentence ends after each row: shape (rows,)."""
        return self._end[self._pairs]


def _described(rows: Sequence[NDArray[np.intp]]) -> _Phrases:
    single = np.array([len(row) == 1 for row in rows])
    second = np.array([row[min(1, len(row) - 1)] for row in rows])
    before = np.array([row[-2:][0] for row in rows])
    first, last = np.array([row[0] for row in rows]), np.array([row[-1] for row in rows])
    return _Phrases(first, second, np.where(single, -1, before), last)


def _appended(
    table: NDArray[np.float64], rows: Sequence[NDArray[np.intp]], phrases: _Phrases
) -> NDArray[np.float64]:
    """log p(phrase | i, j) for all phrases after all pairs of words: shape (m + 1, m + 1, p)."""
    several = phrases.last_but_one >= 0
    entry = table[:, phrases.first, phrases.second] * several
    inner = np.array([table[row[:-2], row[1:-1], row[2:]].sum() for row in rows])
    return table[:, :, phrases.first] + (entry + inner)[None, :, :]
