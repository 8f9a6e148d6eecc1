"""Two stages: one model finds, another scores."""

from collections.abc import Iterable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from generation.nlp.language_model import Puzzle
from generation.nlp.rescoring import TwoStageModel
from tests.generation.nlp import toy

WORDS = ("ant", "bee", "cat", "dog")


class Alphabetical:
    """Likes the fillings best that come first; reads two puzzles ahead."""

    identity = {"name": "alphabetical"}

    def rescore(
        self, shortlists: Iterable[tuple[Puzzle, NDArray[np.intp]]]
    ) -> Iterator[NDArray[np.float64]]:
        for _, fillings in list(shortlists):
            scores = -(fillings @ 10.0 ** -np.arange(fillings.shape[1]))
            yield np.repeat(scores[:, None], fillings.shape[1] + 1, axis=1)


def puzzle(*source: int) -> Puzzle:
    return toy.puzzle(WORDS, [tuple(range(4))] * 4, source)


LIKES_DOGS = toy.Bigrams({"<s> dog": -1.0})


def test_what_was_found_is_ranked_by_the_second_model() -> None:
    model = TwoStageModel(LIKES_DOGS, Alphabetical(), best=100)
    (beam,) = model.search([puzzle(3, 2, 1, 0)], width=100)
    assert len(beam.fillings) == 24
    assert beam.fillings[0].tolist() == [0, 1, 2, 3]
    assert (np.diff(beam.totals[:, -1]) <= 0).all()


def test_only_the_best_of_the_first_model_and_the_source_are_scored_again() -> None:
    model = TwoStageModel(LIKES_DOGS, Alphabetical(), best=6)
    (beam,) = model.search([puzzle(0, 1, 2, 3)], width=100)
    assert len(beam.fillings) == 7
    assert beam.fillings[0].tolist() == [0, 1, 2, 3]
    assert (beam.fillings[1:, 0] == 3).all()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_there_is_one_beam_for_each_puzzle_in_order(count: int) -> None:
    puzzles = [puzzle(*np.roll(range(4), shift)) for shift in range(count)]
    model = TwoStageModel(LIKES_DOGS, Alphabetical(), best=1)
    beams = list(model.search(iter(puzzles), width=100))
    assert len(beams) == count
    for given, beam in zip(puzzles, beams, strict=True):
        assert list(map(int, given.source)) in beam.fillings.tolist()


def test_its_identity_is_that_of_the_model_whose_scores_count() -> None:
    assert TwoStageModel(LIKES_DOGS, Alphabetical(), best=1).identity == {"name": "alphabetical"}
