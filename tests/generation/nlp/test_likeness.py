from pathlib import Path

import numpy as np
import pytest

from generation.nlp import likeness
from generation.nlp.likeness import VectorLikeness

WORDS = ("red", "blue", "Paris", "walk")
VECTORS = np.array([[4, 3], [3, 4], [0, 5], [-8, -6]], np.int8)


@pytest.fixture
def found() -> VectorLikeness:
    return VectorLikeness(WORDS, VECTORS)


def test_likeness_is_the_cosine_of_the_vectors(found: VectorLikeness) -> None:
    assert found.between(["red"], ["blue"]) == pytest.approx(24 / 25)
    assert found.between(["red"], ["walk"]) == pytest.approx(-1)


def test_a_phrase_has_the_direction_of_its_known_words(found: VectorLikeness) -> None:
    assert found.between(["Old", "red"], ["red"]) == pytest.approx(1)
    assert found.between(["red", "blue"], ["red"]) == pytest.approx(7 / 50**0.5)


def test_words_are_known_in_lower_case_and_capitalised(found: VectorLikeness) -> None:
    assert found.between(["Red"], ["paris"]) == found.between(["red"], ["Paris"])


def test_nothing_is_said_of_what_is_unknown(found: VectorLikeness) -> None:
    assert found.between(["green"], ["red"]) is None
    assert found.between(["red", "walk"], ["red"]) is None


def test_vectors_are_read_from_a_folder(tmp_path: Path, found: VectorLikeness) -> None:
    (tmp_path / "words.txt").write_text("\n".join(WORDS), encoding="utf-8")
    np.save(tmp_path / "vectors.npy", VECTORS)
    loaded = VectorLikeness.load(tmp_path)
    assert loaded.between(["red"], ["blue"]) == found.between(["red"], ["blue"])


def test_the_vectors_that_ship_know_what_is_used_alike() -> None:
    alike = likeness.embedded().between(["mother"], ["father"])
    unlike = likeness.embedded().between(["mother"], ["quickly"])
    assert alike is not None
    assert unlike is not None
    assert alike > 0.7 > 0.3 > unlike
