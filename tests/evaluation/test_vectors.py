"""Vectors of words: ours, those of a file, and of words that have none."""

import numpy as np
import pytest

from evaluation.vectors import Vectors, words


def written(folder, text):
    file = folder / "vectors.txt"
    file.write_text(text, encoding="utf-8")
    return file


def cosine(vectors, *pair):
    one, other = vectors.table(pair)
    return float(one @ other / np.linalg.norm(one) / np.linalg.norm(other))


def test_our_vectors_know_which_words_are_used_alike():
    assert cosine(Vectors(), "river", "lake") > cosine(Vectors(), "river", "sang") + 0.2


def test_an_unknown_word_equals_itself_and_no_other():
    assert cosine(Vectors(), "qwxzy", "qwxzy") == pytest.approx(1)
    assert abs(cosine(Vectors(), "qwxzy", "qwxzz")) < 0.5


@pytest.mark.parametrize("header", ["", "2 3\n"], ids=["glove", "fasttext"])
def test_a_file_of_vectors_is_read(header, tmp_path):
    vectors = Vectors(written(tmp_path, f"{header}River 1 0 0\nlake 0.5 0.5 0\nriver 0 0 1\n"))
    assert cosine(vectors, "river", "lake") == pytest.approx(0.5**0.5)
    assert vectors.table(["unknown"]).shape == (1, 3)
    assert vectors.identity != Vectors().identity


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("river 1 0\nlake 1\n", "line 2 .* expected 2 numbers, found 1"),
        ("river 1 0\nlake 1 x\n", "line 2 .* expected a word and numbers"),
        ("", "has no vectors"),
    ],
)
def test_another_file_is_refused_with_its_line(text, said, tmp_path):
    with pytest.raises(ValueError, match=said):
        Vectors(written(tmp_path, text)).table(["river"])


def test_a_text_has_at_most_60_words_and_at_least_an_empty_one():
    assert words("A straße, " * 40) == ["a", "strasse", ","] * 20
    assert words(" ") == [""]
