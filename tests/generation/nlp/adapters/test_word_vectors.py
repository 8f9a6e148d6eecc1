"""Word vectors in eight bits."""

from pathlib import Path

import numpy as np
import pytest
from spacy.vocab import Vocab

from generation.nlp.adapters.word_vectors import WordVectors

UNIT = np.array([[0.6, -0.8], [0.0, 1.0]], np.float32)


def test_quantised_vectors_keep_their_direction() -> None:
    vocab = Vocab()
    WordVectors.quantise(["cat", "Cat"], UNIT).install(vocab)
    vector = np.asarray(vocab.get_vector("cat"))
    assert vector / np.linalg.norm(vector) == pytest.approx(UNIT[0], abs=0.02)


def test_a_lower_cased_word_lends_its_vector_to_its_capitalised_form() -> None:
    vocab = Vocab()
    WordVectors.quantise(["cat", "dog"], UNIT).install(vocab)
    assert (vocab.get_vector("Dog") == vocab.get_vector("dog")).all()


def test_a_capitalised_word_of_its_own_keeps_its_vector() -> None:
    vocab = Vocab()
    WordVectors.quantise(["cat", "Cat"], UNIT).install(vocab)
    assert (vocab.get_vector("Cat") != vocab.get_vector("cat")).any()


def test_an_unknown_word_has_no_vector() -> None:
    vocab = Vocab()
    WordVectors.quantise(["cat", "dog"], UNIT).install(vocab)
    assert not vocab.has_vector("fox")


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    written = WordVectors.quantise(["é", "–"], UNIT)
    written.to_disk(tmp_path)
    read = WordVectors.from_disk(tmp_path)
    assert read.words == written.words
    assert (read.rows == written.rows).all()
