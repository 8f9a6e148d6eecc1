"""The search over tokens, beside the search that knows every phrase's score at once."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from generation.nlp.language_model import Beam
from generation.nlp.search import search
from generation.nlp.token_search import TokenPuzzle, grow
from generation.nlp.token_tasks import together
from tests.generation.nlp import toy
from tests.generation.nlp.tokens import BEGIN, END, HandReader, log_prob, puzzles

widths = st.integers(1, 12)


class WholePhrases:
    """A PhraseScorer that scores every token of every phrase after every row."""

    def __init__(self, puzzle: TokenPuzzle) -> None:
        slots = zip(puzzle.puzzle.choices, puzzle.tokens, strict=True)
        self._tokens = {n: t for slot in slots for n, t in zip(*slot, strict=True)}
        self._rows: list[tuple[int, ...]] = [(BEGIN,)]

    def peek(self, phrases: NDArray[np.intp]) -> NDArray[np.float64]:
        tokens = [self._tokens[number] for number in phrases.tolist()]
        return np.array([[_after(row, phrase) for phrase in tokens] for row in self._rows])

    def advance(self, parents: NDArray[np.intp], phrases: NDArray[np.intp]) -> None:
        rows = zip(parents.tolist(), phrases.tolist(), strict=True)
        self._rows = [self._rows[parent] + self._tokens[number] for parent, number in rows]

    def finish(self) -> NDArray[np.float64]:
        return np.array([log_prob(row, END) for row in self._rows])


def _after(row: tuple[int, ...], phrase: Sequence[int]) -> float:
    whole = [*row, *phrase]
    return sum(log_prob(whole[:place], whole[place]) for place in range(len(row), len(whole)))


def found(puzzle: TokenPuzzle, width: int, reader: HandReader) -> Beam:
    return next(together([grow(puzzle, width=width)], reader, nodes=1))


def sequences(puzzle: TokenPuzzle, beam: Beam) -> list[list[int]]:
    """The tokens of each filling: two fillings of the same tokens stand in either order."""
    fillings = beam.fillings.tolist()
    return [[token for part in puzzle.parts(each) for token in part] for each in fillings]


def likelihoods(puzzle: TokenPuzzle, beam: Beam) -> NDArray[np.float64]:
    """What `totals` holds for these fillings, token by token."""
    return np.array([list(_running(puzzle.parts(each))) for each in beam.fillings.tolist()])


def _running(parts: Iterable[Sequence[int]]) -> Iterator[float]:
    row: tuple[int, ...] = (BEGIN,)
    total = 0.0
    for part in parts:
        total += _after(row, part)
        row = (*row, *part)
        yield total
    yield total + log_prob(row, END)


@settings(deadline=None)
@given(puzzles(), widths)
def test_the_beam_is_that_of_a_search_that_reads_everything(
    puzzle: TokenPuzzle, width: int
) -> None:
    beam = found(puzzle, width, HandReader())
    expected = search(puzzle.puzzle, WholePhrases(puzzle), width=width)
    assert sequences(puzzle, beam) == sequences(puzzle, expected)
    assert beam.totals[:, -1] == pytest.approx(expected.totals[:, -1])
    assert beam.totals == pytest.approx(likelihoods(puzzle, beam))


@settings(deadline=None)
@given(puzzles(), widths)
def test_nothing_is_read_twice_after_the_same_node(puzzle: TokenPuzzle, width: int) -> None:
    reader = HandReader()
    found(puzzle, width, reader)
    ends = {id(node) for node in reader.read_nodes}
    assert len(ends) == len(reader.read_nodes)
    assert all(node.wanted for node in reader.read_nodes)


@settings(deadline=None)
@given(st.lists(puzzles(), min_size=2, max_size=4), widths, st.integers(1, 60))
def test_sentences_searched_together_give_the_beams_of_each_alone(
    several: list[TokenPuzzle], width: int, nodes: int
) -> None:
    beams = list(together((grow(p, width=width) for p in several), HandReader(), nodes=nodes))
    for puzzle, beam in zip(several, beams, strict=True):
        alone = found(puzzle, width, HandReader())
        assert beam.fillings.tolist() == alone.fillings.tolist()
        assert beam.totals == pytest.approx(alone.totals)


def two_slots(*tokens: tuple[int, ...]) -> TokenPuzzle:
    """All phrases of one pool in as many slots, the first as the source has them."""
    numbers = range(len(tokens))
    puzzle = toy.puzzle(["w"] * len(tokens), [numbers] * len(tokens), numbers)
    return TokenPuzzle(puzzle, [tokens] * len(tokens), BEGIN, END)


def test_a_run_of_fixed_slots_is_read_in_one_pass_with_the_token_before_it() -> None:
    puzzle = toy.puzzle(["w"] * 4, [[0, 1], [2], [3], [0, 1]], [0, 2, 3, 1])
    slots = [[(2,), (3,)], [(4, 5)], [(6,)], [(2,), (3,)]]
    reader = HandReader()
    found(TokenPuzzle(puzzle, slots, BEGIN, END), 10, reader)
    beginning, both_rows_with_the_run, both_rows_at_the_end = 1, 2 * 4, 2
    assert reader.passes == [beginning, both_rows_with_the_run, both_rows_at_the_end]


def test_choices_that_cannot_enter_the_beam_are_not_read_further() -> None:
    one, other = (token for token in sorted(range(2, 8), key=lambda t: -log_prob((BEGIN,), t))[:2])
    least = min(range(2, 8), key=lambda t: log_prob((BEGIN,), t))
    long, reader = (least, 2, 2, 2), HandReader()
    found(two_slots((one,), (other,), long), 2, reader)
    first_slot = [node for node in reader.read_nodes if node.parent and node.parent.parent is None]
    assert least not in {node.token for node in first_slot}


def test_choices_that_begin_alike_are_read_as_one_until_they_part() -> None:
    reader = HandReader()
    found(two_slots((2, 3, 4), (2, 3, 5)), 10, reader)
    firsts = [node for node in reader.read_nodes if node.parent and node.parent.parent is None]
    assert [node.token for node in firsts] == [2]
