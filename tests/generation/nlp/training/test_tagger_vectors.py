"""Word vectors from the words around a word."""

import lzma
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sparse  # type: ignore[import-untyped]

from generation.nlp.training import tagger_vectors
from generation.nlp.training.tagger_vectors import BREAK, OFFSETS, VectorSettings


def test_neighbours_are_counted_at_each_offset_apart() -> None:
    stream = np.array([0, 1, 2, BREAK, BREAK], np.int32)
    counted = tagger_vectors.count_neighbours(stream, np.array([0, 1, 2], np.int32), 3)
    by_offset = dict(zip(OFFSETS, np.hsplit(counted.toarray(), len(OFFSETS)), strict=True))
    assert by_offset[1].tolist() == [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert by_offset[-2].tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 0]]


def test_sentences_do_not_neighbour_each_other() -> None:
    stream = np.array([0, BREAK, BREAK, 1], np.int32)
    assert tagger_vectors.count_neighbours(stream, np.array([0, 1], np.int32), 2).nnz == 0


def test_a_rare_neighbour_is_not_counted() -> None:
    counted = tagger_vectors.count_neighbours(
        np.array([0, 1], np.int32), np.array([0, BREAK], np.int32), 2
    )
    assert counted.sum() == 1


def test_information_keeps_what_is_seen_more_often_than_by_chance() -> None:
    counts = sparse.csr_matrix(np.array([[8.0, 2.0], [2.0, 8.0]]))
    information = tagger_vectors.information(counts, 1.0).toarray()
    assert information == pytest.approx(np.diag([np.log(1.6)] * 2))


def test_words_in_like_places_get_like_vectors_of_length_one(tmp_path: Path) -> None:
    text = "".join(
        f"The {animal} {verb} here .\n"
        for animal in ("cat", "dog", "fox")
        for verb in ("sleeps", "runs", "waits")
    )
    (tmp_path / tagger_vectors.TEXT).write_bytes(lzma.compress(text.encode()))
    words, vectors = tagger_vectors.train(tmp_path, VectorSettings(words=9, width=3))
    rows = dict(zip(words, vectors, strict=True))
    assert np.linalg.norm(rows["cat"]) == pytest.approx(1.0, abs=1e-5)
    assert rows["cat"] @ rows["dog"] > 0.95 > rows["cat"] @ rows["sleeps"]
