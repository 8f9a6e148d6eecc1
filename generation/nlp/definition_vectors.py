"""Vectors of the definitions of one entity: means of word vectors, or weighted counts of words.

The word vectors are the embedded ones, or are counted in these definitions alone, so that the
vectors of an entity do not depend on what else its corpus holds.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from generation.nlp import vector_likeness
from generation.nlp.words import words

Rows = NDArray[np.float64]

# Rarer words of an entity with many definitions have no column.
MOST_WORDS = 2_000
# Words at most this far apart count as neighbours.
NEIGHBOURS = 2


def embedded(texts: Sequence[str]) -> Rows:
    """Return the mean of the embedded vectors of the words of each text, zero if none is known."""
    known = vector_likeness.embedded()
    return np.stack([known.mean(words(text)) for text in texts]).astype(np.float64)


def tfidf(texts: Sequence[str]) -> Rows:
    """Return the counts of words, rarer words weighing more, with length one."""
    counts = _counts(found := _words(texts), _numbers(found))
    texts_with = (counts > 0).sum(axis=0)
    return _unit(counts * (np.log((1 + len(texts)) / (1 + texts_with)) + 1))


def ppmi(texts: Sequence[str]) -> Rows:
    """Return the mean of the words' vectors: positive mutual information of neighbours."""
    found = _words(texts)
    counts = _counts(found, numbers := _numbers(found))
    vectors = _unit(_information(_near(found, numbers)))
    means: Rows = counts @ vectors / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    return means


def _words(texts: Sequence[str]) -> list[list[str]]:
    return [words(text.casefold()) for text in texts]


def _numbers(texts: Sequence[Sequence[str]]) -> dict[str, int]:
    """Return the column of each word, most frequent first."""
    counts = Counter(word for text in texts for word in text)
    kept = sorted(counts, key=lambda word: (-counts[word], word))[:MOST_WORDS]
    return {word: number for number, word in enumerate(kept)}


def _counts(texts: Sequence[Sequence[str]], numbers: dict[str, int]) -> Rows:
    counts = np.zeros((len(texts), len(numbers)))
    for row, text in enumerate(texts):
        np.add.at(counts[row], [numbers[word] for word in text if word in numbers], 1)
    return counts


def _near(texts: Sequence[Sequence[str]], numbers: dict[str, int]) -> Rows:
    """Count how often each two words are neighbours."""
    near = np.zeros((len(numbers), len(numbers)))
    for text in texts:
        places = [numbers.get(word) for word in text]
        for apart in range(1, NEIGHBOURS + 1):
            for one, other in zip(places, places[apart:], strict=False):
                if one is not None and other is not None:
                    near[one, other] += 1
                    near[other, one] += 1
    return near


def _information(counts: Rows) -> Rows:
    total, sums = max(counts.sum(), 1.0), np.maximum(counts.sum(axis=0), 1.0)
    with np.errstate(divide="ignore"):
        found: Rows = np.maximum(np.log(counts * total / np.outer(sums, sums)), 0.0)
    return found


def _unit(rows: Rows) -> Rows:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    units: Rows = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return units
