"""Beam search against all fillings, listed one by one."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.language_model import Beam, Puzzle
from tests.generation.nlp import toy
from tests.generation.nlp.toy import Bigrams

WORDS = ("ant", "bee", "cat", "dog", "elk")
WIDE = 10_000


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
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


def run(puzzle: Puzzle, model: Bigrams, width: int) -> Beam:
    return next(model.search([puzzle], width=width))


def all_fillings(puzzle: Puzzle) -> set[tuple[int, ...]]:
    """Every way to put the source's fillers where they may stand."""
    drawn = Counter(puzzle.source)
    rows = {row for row in product(*puzzle.choices) if Counter(row) == drawn}
    return {row for row in rows if changes(row, puzzle) <= puzzle.max_changes}


def changes(row: Sequence[int], puzzle: Puzzle) -> int:
    return sum(a != b for a, b in zip(row, puzzle.source, strict=True))


@given(puzzles(), models)
def test_a_wide_beam_holds_every_filling_once_with_its_likelihood(
    puzzle: Puzzle, model: Bigrams
) -> None:
    beam = run(puzzle, model, WIDE)
    rows = list(map(tuple, beam.fillings.tolist()))
    assert sorted(rows) == sorted(all_fillings(puzzle))
    sentences = [[(WORDS * 2)[number] for number in row] for row in rows]
    assert beam.totals[:, -1] == pytest.approx(model.score(sentences))


@given(puzzles(), models, st.integers(1, 4))
def test_a_narrow_beam_draws_without_replacement_and_keeps_the_source(
    puzzle: Puzzle, model: Bigrams, width: int
) -> None:
    beam = run(puzzle, model, width)
    rows = set(map(tuple, beam.fillings.tolist()))
    assert len(rows) == len(beam.fillings) <= width
    assert rows <= all_fillings(puzzle)
    assert puzzle.source in rows


@given(puzzles(), models, st.integers(1, 4))
def test_hypotheses_come_likeliest_first_and_the_same_each_time(
    puzzle: Puzzle, model: Bigrams, width: int
) -> None:
    beam, again = (run(puzzle, model, width) for _ in range(2))
    assert (np.diff(beam.totals[:, -1]) <= 0).all()
    assert (np.diff(beam.totals, axis=1) <= 0).all()
    assert np.array_equal(beam.fillings, again.fillings)
    assert np.array_equal(beam.totals, again.totals)


def test_the_best_of_all_orders_of_five_words_is_found_by_a_beam_of_a_hundred() -> None:
    model = Bigrams({"<s> cat": -1, "cat bee": -1, "bee elk": -1, "elk ant": -1, "ant dog": -1})
    puzzle = toy.puzzle(WORDS, [tuple(range(5))] * 5, range(5), max_changes=5)
    best = max(permutations(WORDS), key=lambda words: model.log_prob("<s>", *words, "</s>"))
    beam = run(puzzle, model, 100)
    assert tuple(WORDS[number] for number in beam.fillings[0]) == best
