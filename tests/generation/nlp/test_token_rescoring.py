"""Scores of complete sentences, read as one tree."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings

from generation.nlp.token_rescoring import retrace
from generation.nlp.token_search import TokenPuzzle, grow
from generation.nlp.token_tasks import together
from tests.generation.nlp import toy
from tests.generation.nlp.tokens import BEGIN, END, HandReader, puzzles, score


@settings(deadline=None)
@given(puzzles())
def test_fillings_have_the_totals_that_the_search_gave_them(puzzle: TokenPuzzle) -> None:
    beam = next(together([grow(puzzle, width=8)], HandReader(), nodes=1))
    totals = next(together([retrace(puzzle, beam.fillings)], HandReader(), nodes=1))
    assert totals == pytest.approx(beam.totals)


@settings(deadline=None)
@given(puzzles())
def test_the_last_total_is_the_likelihood_of_the_sentence(puzzle: TokenPuzzle) -> None:
    source = np.array([puzzle.puzzle.source])
    totals = next(together([retrace(puzzle, source)], HandReader(), nodes=1))
    assert totals[0, -1] == pytest.approx(score(list(chain(*puzzle.parts(source[0].tolist())))))


def test_beginnings_that_are_alike_are_read_once_in_a_single_pass() -> None:
    puzzle = toy.puzzle(["w"] * 4, [[0], [1, 2], [1, 2], [3]], [0, 1, 2, 3])
    tokens = TokenPuzzle(puzzle, [[(2, 3)], [(4,), (5,)], [(4,), (5,)], [(6,)]], BEGIN, END)
    reader = HandReader()
    next(together([retrace(tokens, np.array([[0, 1, 2, 3], [0, 2, 1, 3]]))], reader, nodes=1))
    shared, apart = 3, 2 * 3
    assert reader.passes == [shared + apart]
