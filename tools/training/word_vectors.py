"""Word vectors for the embedded tagger: factorised counts of neighbours within two words.

Positive pointwise mutual information of each word with its neighbours at each of four positions,
reduced to its largest singular values (Levy, Goldberg and Dagan 2015,
https://aclanthology.org/Q15-1016/). With separate positions, interchangeable words get similar
vectors, which is what tags and names need.
"""

import lzma
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import scipy.sparse as sparse  # type: ignore[import-untyped]
from numpy.typing import NDArray
from sklearn.utils.extmath import randomized_svd

from generation.nlp.adapters.spacy_component import STEP, WordVectors

TEXT = "wikipedia-train.txt.xz"
WORD = re.compile(
    r"n't\b|'(?:s|re|ve|ll|d|m)\b|\w+(?=n't\b)|[A-Z]\.|\w+(?:[.,]\w+)*|[^\w\s]", re.UNICODE
)
OFFSETS = (-2, -1, 1, 2)
BREAK = -1  # between sentences, and in place of rare words
WORDS, NEIGHBOURS = 50_000, 2_500  # words with a vector; lower-cased words counted near them
WIDTH = 64
SMOOTHING = 0.75


def train(folder: Path) -> WordVectors:
    """Return the words and their vectors, most frequent word first."""
    counts: Counter[str] = Counter()
    for words in _sentences(folder):
        counts.update(words)
    vocabulary = tuple(sorted(counts, key=lambda w: (-counts[w], w))[:WORDS])
    neighbour_counts = _count_neighbours(_stream(_sentences(folder), vocabulary), vocabulary)
    return quantise(vocabulary, _factorise(_positive_information(neighbour_counts)))


def quantise(words: Sequence[str], vectors: NDArray[np.float32]) -> WordVectors:
    """Quantise vectors of length one; values beyond eight bits are clipped."""
    scale = STEP * np.sqrt(vectors.shape[1])
    return WordVectors(tuple(words), np.clip(np.rint(vectors * scale), -127, 127).astype(np.int8))


def _sentences(folder: Path) -> Iterator[list[str]]:
    with lzma.open(folder / TEXT, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield WORD.findall(line)


def _stream(sentences: Iterator[list[str]], vocabulary: Sequence[str]) -> NDArray[np.int32]:
    """Return running text as word numbers, with BREAK between sentences."""
    numbers = {word: number for number, word in enumerate(vocabulary)}
    gap = [BREAK] * max(OFFSETS)
    flat = (n for s in sentences for n in [*(numbers.get(word, BREAK) for word in s), *gap])
    return np.fromiter(flat, np.int32)


def _count_neighbours(stream: NDArray[np.int32], vocabulary: Sequence[str]) -> sparse.csr_matrix:
    """Count each neighbour at each offset of each word: (words, offsets * neighbours)."""
    lowered = dict.fromkeys(word.lower() for word in vocabulary)
    numbers = {word: n for n, word in enumerate(islice(lowered, NEIGHBOURS))}
    neighbours = np.array([numbers.get(word.lower(), BREAK) for word in vocabulary], np.int32)
    nearby = np.where(stream == BREAK, BREAK, neighbours[stream])
    shape = len(vocabulary), len(numbers)
    return sparse.hstack(
        [_count_at_offset(offset, stream, nearby, shape) for offset in OFFSETS]
    ).tocsr()


def _count_at_offset(
    offset: int, stream: NDArray[np.int32], nearby: NDArray[np.int32], shape: tuple[int, int]
) -> sparse.csr_matrix:
    before, after = slice(None, -abs(offset)), slice(abs(offset), None)
    word, neighbour = (before, after) if offset > 0 else (after, before)
    rows, columns = stream[word], nearby[neighbour]
    is_counted = (rows != BREAK) & (columns != BREAK)
    cells, counts = np.unique(
        rows[is_counted].astype(np.int64) * shape[1] + columns[is_counted], return_counts=True
    )
    return sparse.csr_matrix((counts, np.divmod(cells, shape[1])), shape=shape, dtype=np.float32)


def _positive_information(counts: sparse.csr_matrix) -> sparse.csr_matrix:
    """Return positive pointwise mutual information; neighbour frequencies raised to SMOOTHING."""
    rows = np.asarray(counts.sum(axis=1)).ravel()
    columns = np.asarray(counts.sum(axis=0)).ravel() ** SMOOTHING
    columns /= columns.sum()
    cells = counts.tocoo()
    values = np.log(cells.data / (rows[cells.row] * columns[cells.col]))
    kept = values > 0
    where = (cells.row[kept], cells.col[kept])
    return sparse.csr_matrix((values[kept].astype(np.float32), where), shape=counts.shape)


def _factorise(matrix: sparse.csr_matrix) -> NDArray[np.float32]:
    """Return left singular vectors scaled by the roots of singular values; rows of length one."""
    singular_vectors, values, _ = randomized_svd(
        matrix, n_components=WIDTH, n_iter=3, random_state=0
    )
    weighted: NDArray[np.float32] = singular_vectors * np.sqrt(values)
    lengths = np.linalg.norm(weighted, axis=1, keepdims=True)
    vectors: NDArray[np.float32] = weighted / np.maximum(lengths, np.float32(1e-9))
    return vectors
