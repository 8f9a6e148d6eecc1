"""Beam search against all fillings, listed one by one; and a second model that ranks them."""

import operator
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.rescoring import TwoStageModel
from tests.generation.nlp import toy
from tests.generation.nlp.toy import Bigrams

WORDS = ("ant", "bee", "cat", "dog", "elk")
WIDE = 10_000


@st.composite
def puzzles(draw):
    """Slots of which some may hold any word of their pool: all even or all odd numbers."""
    source = draw(st.lists(st.integers(0, len(WORDS) - 1), min_size=1, max_size=7))
    free = draw(st.lists(st.booleans(), min_size=len(source), max_size=len(source)))
    moving = [word for word, moves in zip(source, free, strict=True) if moves]
    pools = {word: tuple(sorted(w for w in set(moving) if w % 2 == word % 2)) for word in moving}
    slots = zip(source, free, strict=True)
    # A word that stays is a filler of its own, apart from equal ones that move.
    fixed = len(WORDS)
    source = [word if moves else fixed + word for word, moves in slots]
    choices = [pools.get(word, (word,)) for word in source]
    most = draw(st.integers(2, len(source) + 2))
    return toy.puzzle(WORDS * 2, choices, source, max_changes=most)


models = st.dictionaries(
    st.tuples(st.sampled_from(("<s>", *WORDS)), st.sampled_from((*WORDS, "</s>"))).map(" ".join),
    st.floats(-9, -0.1),
).map(Bigrams)


def run(puzzle, model, width):
    return next(model.search([puzzle], width=width))


def all_fillings(puzzle):
    """Every way to put the source's fillers where they may stand."""
    source, most = puzzle.source, puzzle.max_changes
    rows = {row for row in product(*puzzle.choices) if Counter(row) == Counter(source)}
    return {row for row in rows if sum(map(operator.ne, row, source)) <= most}


@given(puzzles(), models)
def test_a_wide_beam_holds_every_filling_once_with_its_likelihood(puzzle, model):
    beam = run(puzzle, model, WIDE)
    rows = list(map(tuple, beam.fillings.tolist()))
    assert sorted(rows) == sorted(all_fillings(puzzle))
    sentences = [[(WORDS * 2)[number] for number in row] for row in rows]
    assert beam.totals[:, -1] == pytest.approx(model.score(sentences))


@given(puzzles(), models, st.integers(1, 4))
def test_a_narrow_beam_keeps_the_source_and_comes_likeliest_first(puzzle, model, width):
    beam, again = (run(puzzle, model, width) for _ in range(2))
    rows = set(map(tuple, beam.fillings.tolist()))
    assert len(rows) == len(beam.fillings) <= width
    assert rows <= all_fillings(puzzle)
    assert puzzle.source in rows
    assert (np.diff(beam.totals[:, -1]) <= 0).all()
    assert (np.diff(beam.totals, axis=1) <= 0).all()
    assert np.array_equal(beam.fillings, again.fillings)
    assert np.array_equal(beam.totals, again.totals)


class Alphabetical:
    """Likes the fillings best that come first; reads all puzzles ahead."""

    identity = {"name": "alphabetical"}

    def rescore(self, shortlists):
        for _, fillings in list(shortlists):
            scores = -(fillings @ 10.0 ** -np.arange(fillings.shape[1]))
            yield np.repeat(scores[:, None], fillings.shape[1] + 1, axis=1)


def orders_of_four(*source):
    return toy.puzzle(WORDS[:4], [tuple(range(4))] * 4, source)


def two_stages(best):
    return TwoStageModel(Bigrams({"<s> dog": -1.0}), Alphabetical(), best=best)


def test_what_was_found_is_ranked_by_the_second_model():
    (beam,) = two_stages(best=100).search([orders_of_four(3, 2, 1, 0)], width=100)
    assert len(beam.fillings) == 24
    assert beam.fillings[0].tolist() == [0, 1, 2, 3]
    assert (np.diff(beam.totals[:, -1]) <= 0).all()
    assert two_stages(best=1).identity == {"name": "alphabetical"}
    assert list(two_stages(best=1).search([], width=100)) == []
    # Only the best of the first model and the source are scored again.
    puzzles = [orders_of_four(*order) for order in ((0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1))]
    beams = list(two_stages(best=6).search(iter(puzzles), width=100))
    for puzzle, beam in zip(puzzles, beams, strict=True):
        assert len(beam.fillings) == 7
        assert list(puzzle.source) in beam.fillings.tolist()
        expected = -(beam.fillings @ 10.0 ** -np.arange(4))
        assert beam.totals[:, -1] == pytest.approx(expected)
    beam = beams[0]
    assert beam.fillings[0].tolist() == [0, 1, 2, 3]
    assert (beam.fillings[1:, 0] == 3).all()
