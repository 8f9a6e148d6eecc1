"""Search and scoring token by token, beside a search that knows every phrase's score at once."""

from functools import lru_cache
from itertools import accumulate, chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.search import search
from generation.nlp.token_rescoring import retrace
from generation.nlp.token_search import TokenPuzzle, grow
from generation.nlp.token_tasks import together
from generation.nlp.token_tree import TokenTree
from tests.generation.nlp import toy

BEGIN, END, SIZE = 0, 1, 8

token_lists = st.lists(st.integers(2, SIZE - 1), min_size=1, max_size=3).map(tuple)
widths = st.integers(1, 12)


@lru_cache(10_000)
def log_probs(before):
    """Those of all tokens after others: they depend on all of them."""
    weights = np.random.default_rng(before).gumbel(size=SIZE) * 2
    return (weights - np.logaddexp.reduce(weights)).tolist()


def after(row, phrase):
    """The log-probability of a phrase after a row of tokens."""
    whole = (*row, *phrase)
    return sum(log_probs(whole[:place])[whole[place]] for place in range(len(row), len(whole)))


class HandReader:
    """Reads nodes as a neural model does, and records what it was asked."""

    def __init__(self):
        self.read_nodes, self.passes = [], []
        self._tree, self._before = TokenTree(), {}

    def read(self, requests):
        self._tree.prune(requests, above=0.0)
        self.passes.append(sum(len(request.nodes) for request in requests))
        return [np.array([*self._answers(request)]) for request in requests]

    def _answers(self, request):
        self._tree.add(request.nodes)
        for node in request.nodes:
            before = self._before[node.parent] if node.parent else ()
            self._before[node] = (*before, node.token)
            self.read_nodes.append(node)
            yield from (log_probs(self._before[node])[token] for token in node.wanted)


class WholePhrases:
    """A PhraseScorer that scores every token of every phrase after every row."""

    def __init__(self, puzzle):
        slots = zip(puzzle.puzzle.choices, puzzle.tokens, strict=True)
        self._tokens = {n: t for slot in slots for n, t in zip(*slot, strict=True)}
        self._rows = [(BEGIN,)]

    def peek(self, phrases):
        tokens = [self._tokens[number] for number in phrases.tolist()]
        return np.array([[after(row, phrase) for phrase in tokens] for row in self._rows])

    def advance(self, parents, phrases):
        rows = zip(parents.tolist(), phrases.tolist(), strict=True)
        self._rows = [self._rows[parent] + self._tokens[number] for parent, number in rows]

    def finish(self):
        return np.array([after(row, [END]) for row in self._rows])


@st.composite
def puzzles(draw):
    """Two pools of fillers between fixed ones; fillers of a pool may begin with the same tokens."""
    pools = [draw(st.lists(token_lists, min_size=2, max_size=3, unique=True)) for _ in range(2)]
    fixed = draw(st.lists(token_lists, max_size=3))
    numbers = [[0, 1, 2][: len(pools[0])], [3, 4, 5][: len(pools[1])]]
    tokens = dict(zip(numbers[0] + numbers[1], pools[0] + pools[1], strict=True))
    tokens |= dict(enumerate(fixed, 6))
    moving = [number for pool in numbers for number in pool]
    moving += draw(st.lists(st.sampled_from(moving), max_size=1))
    source = draw(st.permutations([*moving, *range(6, 6 + len(fixed))]))
    choices = [next((pool for pool in numbers if number in pool), [number]) for number in source]
    most = draw(st.integers(2, len(source)))
    puzzle = toy.puzzle(["w"] * 10, choices, source, max_changes=most)
    return TokenPuzzle(puzzle, [[tokens[n] for n in slot] for slot in choices], BEGIN, END)


def found(puzzle, width, reader):
    return next(together([grow(puzzle, width=width)], reader, nodes=1))


def rescored(puzzle, fillings, reader):
    return next(together([retrace(puzzle, np.array(fillings))], reader, nodes=1))


def sequences(puzzle, beam):
    return [list(chain(*puzzle.parts(filling))) for filling in beam.fillings.tolist()]


def running_totals(puzzle, filling):
    parts = [(BEGIN,), *puzzle.parts(filling), (END,)]
    rows = [tuple(chain(*parts[:place])) for place in range(1, len(parts))]
    return [*accumulate(after(row, part) for row, part in zip(rows, parts[1:], strict=True))]


@given(puzzles(), widths)
def test_the_beam_is_that_of_a_search_that_reads_everything(puzzle, width):
    reader = HandReader()
    beam = found(puzzle, width, reader)
    expected = search(puzzle.puzzle, WholePhrases(puzzle), width=width)
    assert sequences(puzzle, beam) == sequences(puzzle, expected)
    assert beam.totals[:, -1] == pytest.approx(expected.totals[:, -1])
    totals = np.array([running_totals(puzzle, filling) for filling in beam.fillings.tolist()])
    assert beam.totals == pytest.approx(totals)
    # Nothing is read twice after the same node.
    assert len({id(node) for node in reader.read_nodes}) == len(reader.read_nodes)
    assert all(node.wanted for node in reader.read_nodes)


@given(puzzles())
def test_fillings_rescored_have_the_totals_of_the_search_and_the_last_is_their_likelihood(puzzle):
    beam = found(puzzle, 8, HandReader())
    assert rescored(puzzle, beam.fillings, HandReader()) == pytest.approx(beam.totals)
    source = puzzle.puzzle.source
    tokens = [*chain(*puzzle.parts(source)), END]
    assert rescored(puzzle, [source], HandReader())[0, -1] == pytest.approx(after([BEGIN], tokens))


@given(st.lists(puzzles(), min_size=2, max_size=4), widths, st.integers(1, 60))
def test_sentences_searched_together_give_the_beams_of_each_alone(several, width, nodes):
    beams = list(together((grow(p, width=width) for p in several), HandReader(), nodes=nodes))
    for puzzle, beam in zip(several, beams, strict=True):
        alone = found(puzzle, width, HandReader())
        assert beam.fillings.tolist() == alone.fillings.tolist()
        assert beam.totals == pytest.approx(alone.totals)


def test_a_run_of_fixed_slots_is_read_in_one_pass_with_the_token_before_it():
    puzzle = toy.puzzle(["w"] * 4, [[0, 1], [2], [3], [0, 1]], [0, 2, 3, 1])
    slots = [[(2,), (3,)], [(4, 5)], [(6,)], [(2,), (3,)]]
    reader = HandReader()
    found(TokenPuzzle(puzzle, slots, BEGIN, END), 10, reader)
    beginning, both_rows_with_the_run, both_rows_at_the_end = 1, 2 * 4, 2
    assert reader.passes == [beginning, both_rows_with_the_run, both_rows_at_the_end]


def read_at_the_first_slot(*tokens, width):
    """What is read there where all these stand in one pool, in as many slots."""
    numbers, reader = range(len(tokens)), HandReader()
    puzzle = toy.puzzle(["w"] * len(tokens), [numbers] * len(tokens), numbers)
    found(TokenPuzzle(puzzle, [tokens] * len(tokens), BEGIN, END), width, reader)
    nodes = (node for node in reader.read_nodes if node.parent and node.parent.parent is None)
    return [node.token for node in nodes]


def test_of_choices_only_what_decides_the_beam_is_read_and_what_begins_alike_as_one():
    one, other, *_, least = sorted(range(2, 8), key=lambda token: -after([BEGIN], [token]))
    assert least not in read_at_the_first_slot((one,), (other,), (least, 2, 2, 2), width=2)
    assert read_at_the_first_slot((2, 3, 4), (2, 3, 5), width=10) == [2]


def test_beginnings_that_are_alike_are_rescored_in_a_single_pass():
    puzzle = toy.puzzle(["w"] * 4, [[0], [1, 2], [1, 2], [3]], [0, 1, 2, 3])
    tokens = TokenPuzzle(puzzle, [[(2, 3)], [(4,), (5,)], [(4,), (5,)], [(6,)]], BEGIN, END)
    reader = HandReader()
    rescored(tokens, [[0, 1, 2, 3], [0, 2, 1, 3]], reader)
    shared, apart = 3, 2 * 3
    assert reader.passes == [shared + apart]
