"""The n-gram model as a LanguageModel: builds one table per sentence, then indexes it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from generation.nlp.language_model import Beam, Floats, Hypotheses, Ints, Puzzle
from generation.nlp.ngram import Indices, NgramModel

# About the tokens of the tagger, by which the model was trained: "do|n't", "dog|'s", "1,000".
_TOKEN = re.compile(
    r"\d+(?:[.,]\d+)+|['’](?:s|re|ve|ll|d|m)\b|n['’]t\b|\w+?(?=n['’]t\b)|\w+|[^\w\s]",
    re.IGNORECASE,
)


class NgramLanguageModel:
    """A LanguageModel based on an NgramModel."""

    def __init__(self, model: NgramModel) -> None:
        self._model = model

    @classmethod
    def load(cls, path: Path) -> Self:
        return cls(NgramModel.load(path))

    @property
    def identity(self) -> dict[str, str]:
        return self._model.identity

    def search(self, puzzles: Iterable[Puzzle], *, width: int) -> Iterator[Beam]:
        return (
            search(puzzle, NgramScorer(self._model, puzzle.words), width=width)
            for puzzle in puzzles
        )

    def log_likelihoods(self, groups: Iterable[Sequence[str]]) -> Iterator[Floats]:
        """Yield natural-log likelihoods of the texts of each group, ends of sentences included."""
        for texts in groups:
            yield np.array([self._log_likelihood(_TOKEN.findall(text)) for text in texts])

    def _log_likelihood(self, words: Sequence[str]) -> float:
        vocabulary = self._model.vocabulary
        ids = np.array([vocabulary.bos, vocabulary.bos, *vocabulary.ids(words), vocabulary.eos])
        return float(self._model.log_probs(np.column_stack([ids[:-2], ids[1:-1], ids[2:]])).sum())


def search(puzzle: Puzzle, scorer: "NgramScorer", *, width: int) -> Beam:
    """Fill slots left to right without replacement, and keep the best `width` rows at each.

    The scorer must have one row: the beginning of a sentence. The source is never dropped.
    """
    hypotheses = Hypotheses(puzzle, width=width)
    for slot, fillers in enumerate(hypotheses.choices):
        if len(fillers) == 1:
            hypotheses.append(slot, scorer.peek(fillers)[:, 0])
            rows = len(hypotheses)
            scorer.advance(np.arange(rows), np.full(rows, fillers[0]))
        else:
            scores = hypotheses.scores(slot, scorer.peek(fillers))
            parents, columns = hypotheses.branch(slot, scores, hypotheses.best(scores))
            scorer.advance(parents, fillers[columns])
    return hypotheses.finish(scorer.finish())


class NgramScorer:
    """Scores sentences built left to right from a fixed list of phrases.

    Hypotheses are rows: pairs of last words, so that a step is a lookup in a small array. A step
    specifies, for each new row, the row that it extends and the phrase that it appends.
    """

    def __init__(self, model: NgramModel, phrases: Sequence[tuple[str, ...]]) -> None:
        ids = model.vocabulary.ids(list(chain.from_iterable(phrases)))
        words, places = np.unique(ids, return_inverse=True)
        table = model.table(words)
        parts = _Phrases.split(phrases, places)
        self._size = len(words) + 1
        self._last, self._last_but_one = parts.last, parts.last_but_one
        self._end = table[:, :, -1].ravel()
        self._log_probs = parts.log_probs(table).reshape(-1, len(phrases))
        self._pairs = np.array([self._size**2 - 1])

    def peek(self, phrases: Ints) -> Floats:
        """Return the natural-log probability of phrases after each row: (rows, len(phrases))."""
        return np.asarray(self._log_probs[self._pairs[:, None], phrases])

    def advance(self, parents: Ints, phrases: Ints) -> None:
        """Create new rows: row i is old row parents[i] followed by phrases[i]."""
        before = self._last_but_one[phrases]
        before = np.where(before < 0, self._pairs[parents] % self._size, before)
        self._pairs = before * self._size + self._last[phrases]

    def finish(self) -> Floats:
        """Return the natural-log probability of a sentence end after each row: shape (rows,)."""
        return np.asarray(self._end[self._pairs])


@dataclass(frozen=True, slots=True)
class _Phrases:
    """The words of each phrase as indices into the sentence's table: shape (p,) each."""

    first: Indices
    second: Indices  # equals first for a single word
    last_but_one: Indices  # -1 for a single word
    last: Indices
    longer: dict[int, Indices]  # all words of phrases with three or more words

    @classmethod
    def split(cls, phrases: Sequence[tuple[str, ...]], places: Indices) -> Self:
        """Split the concatenated indices of all words into phrases."""
        lengths = np.fromiter((len(phrase) for phrase in phrases), np.intp, len(phrases))
        ends = np.cumsum(lengths)
        starts, single = ends - lengths, lengths == 1
        longer = {int(p): places[starts[p] : ends[p]] for p in np.flatnonzero(lengths > 2)}
        second_last = np.where(single, -1, places[ends - 2])
        return cls(places[starts], places[starts + ~single], second_last, places[ends - 1], longer)

    def log_probs(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return log p(phrase | i, j) for all phrases and word pairs: shape (m + 1, m + 1, p)."""
        later = table[:, self.first, self.second] * (self.last_but_one >= 0)
        for phrase, words in self.longer.items():
            later[:, phrase] += table[words[:-2], words[1:-1], words[2:]].sum()
        return np.asarray(table[:, :, self.first] + later)
