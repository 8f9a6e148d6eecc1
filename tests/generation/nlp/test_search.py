"""Beam search beside all fillings; token by token beside whole phrases; scores of texts."""

import operator
from collections import Counter
from functools import lru_cache
from itertools import accumulate, chain, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.ngram_scorer import search
from generation.nlp.token_search import TokenPuzzle, grow, score
from generation.nlp.token_tree import TokenTree, run_together
from tests.generation.nlp import toy

WORDS = ("ant", "bee", "cat", "dog", "elk")
BEGIN, END, SIZE = 0, 1, 8


@st.composite
def puzzles(draw):
    """Slots of which some may hold any word of their pool: all even or all odd numbers."""
    source = draw(st.lists(st.integers(0, len(WORDS) - 1), min_size=1, max_size=7))
    free = draw(st.lists(st.booleans(), min_size=len(source), max_size=len(source)))
    slots = list(zip(source, free, strict=True))
    moving = sorted({word for word, moves in slots if moves})
    pools = {word: [w for w in moving if w % 2 == word % 2] for word in moving}
    # A word that stays is a filler of its own, apart from equal ones that move.
    source = [word if moves else len(WORDS) + word for word, moves in slots]
    choices = [pools.get(word, [word]) for word in source]
    most = draw(st.integers(2, len(source) + 2))
    return toy.puzzle(WORDS * 2, choices, source, max_changes=most)


models = st.dictionaries(
    st.tuples(st.sampled_from(("<s>", *WORDS)), st.sampled_from((*WORDS, "</s>"))).map(" ".join),
    st.floats(-9, -0.1),
).map(toy.Bigrams)


def all_fillings(puzzle):
    source, most = puzzle.source, puzzle.max_changes
    rows = {row for row in product(*puzzle.choices) if Counter(row) == Counter(source)}
    return {row for row in rows if sum(map(operator.ne, row, source)) <= most}


@given(puzzles(), models)
def test_a_wide_beam_holds_every_filling_once_with_its_likelihood(puzzle, model):
    (beam,) = model.search([puzzle], width=10_000)
    rows = list(map(tuple, beam.fillings.tolist()))
    assert sorted(rows) == sorted(all_fillings(puzzle))
    sentences = [[(WORDS * 2)[number] for number in row] for row in rows]
    assert beam.totals[:, -1] == pytest.approx(model.score(sentences))


@given(puzzles(), models, st.integers(1, 4))
def test_a_narrow_beam_keeps_the_source_and_comes_likeliest_first(puzzle, model, width):
    beam, again = model.search([puzzle, puzzle], width=width)
    rows = set(map(tuple, beam.fillings.tolist()))
    assert len(rows) == len(beam.fillings) <= width
    assert {puzzle.source} <= rows <= all_fillings(puzzle)
    assert (np.diff(beam.totals[:, -1]) <= 0).all()
    assert (np.diff(beam.totals, axis=1) <= 0).all()
    assert np.array_equal(beam.fillings, again.fillings)
    assert np.array_equal(beam.totals, again.totals)


@lru_cache(10_000)
def log_probs(before):
    """Those of all tokens after others: they depend on all of them."""
    weights = np.random.default_rng(before).gumbel(size=SIZE) * 2
    return (weights - np.logaddexp.reduce(weights)).tolist()


def after(row, phrase):
    whole = (*row, *phrase)
    return sum(log_probs(whole[:place])[whole[place]] for place in range(len(row), len(whole)))


class HandReader:
    """Reads nodes as a neural model does, and records what it was asked."""

    def __init__(self):
        self.read_nodes, self.passes = [], []
        self._tree, self._before = TokenTree(), {None: ()}

    def read(self, requests):
        self._tree.prune(requests, above=0.0)
        self.passes.append(sum(len(request.nodes) for request in requests))
        return [np.array([*self._answers(request.nodes)]) for request in requests]

    def _answers(self, nodes):
        self._tree.add(nodes)
        for node in nodes:
            self._before[node] = (*self._before[node.parent], node.token)
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


def tokenised(tokens, choices, source, **changes):
    puzzle = toy.puzzle(["w"] * (max(source) + 1), choices, source, **changes)
    return TokenPuzzle(puzzle, [[tokens[n] for n in slot] for slot in choices], BEGIN, END)


token_lists = st.lists(st.integers(2, SIZE - 1), min_size=1, max_size=3).map(tuple)
widths = st.integers(1, 12)


@st.composite
def token_puzzles(draw):
    """Two pools of fillers between fixed ones; fillers of a pool may begin with the same tokens."""
    pools = [draw(st.lists(token_lists, min_size=2, max_size=3, unique=True)) for _ in range(2)]
    fixed = draw(st.lists(token_lists, max_size=3))
    numbers = [[0, 1, 2][: len(pools[0])], [3, 4, 5][: len(pools[1])]]
    moving = numbers[0] + numbers[1]
    tokens = dict(zip(moving, pools[0] + pools[1], strict=True)) | dict(enumerate(fixed, 6))
    moving += draw(st.lists(st.sampled_from(moving), max_size=1))
    source = draw(st.permutations([*moving, *range(6, 6 + len(fixed))]))
    choices = [next((pool for pool in numbers if number in pool), [number]) for number in source]
    return tokenised(tokens, choices, source, max_changes=draw(st.integers(2, len(source))))


def found(puzzle, width, reader):
    return next(run_together([grow(puzzle, width=width)], reader, nodes=1))


def scored(texts, reader):
    return next(run_together([score(texts, begin=BEGIN, end=END)], reader, nodes=1))


def running_totals(puzzle, filling):
    parts = [(BEGIN,), *puzzle.parts(filling), (END,)]
    rows = [tuple(chain(*parts[:place])) for place in range(1, len(parts))]
    return [*accumulate(after(row, part) for row, part in zip(rows, parts[1:], strict=True))]


@given(token_puzzles(), widths)
def test_beams_and_scores_of_tokens_are_those_of_a_search_that_reads_everything(puzzle, width):
    reader = HandReader()
    beam = found(puzzle, width, reader)
    expected = search(puzzle.puzzle, WholePhrases(puzzle), width=width)
    tokens, others = (
        [[*chain(*puzzle.parts(filling))] for filling in some.fillings.tolist()]
        for some in (beam, expected)
    )
    assert tokens == others
    assert beam.totals[:, -1] == pytest.approx(expected.totals[:, -1])
    totals = np.array([running_totals(puzzle, filling) for filling in beam.fillings.tolist()])
    assert beam.totals == pytest.approx(totals)
    # Nothing is read twice after the same node.
    assert len({id(node) for node in reader.read_nodes}) == len(reader.read_nodes)
    assert all(node.wanted for node in reader.read_nodes)
    for count in (len(tokens), 1):
        scores = scored(tokens[:count], HandReader())
        assert scores == pytest.approx(beam.totals[:count, -1])


@given(st.lists(token_puzzles(), min_size=2, max_size=4), widths, st.integers(1, 60))
def test_sentences_searched_together_give_the_beams_of_each_alone(several, width, nodes):
    beams = list(run_together((grow(p, width=width) for p in several), HandReader(), nodes=nodes))
    for puzzle, beam in zip(several, beams, strict=True):
        alone = found(puzzle, width, HandReader())
        assert beam.fillings.tolist() == alone.fillings.tolist()
        assert beam.totals == pytest.approx(alone.totals)


def test_what_all_rows_share_is_read_in_one_pass():
    tokens = [(2,), (3,), (4, 5), (6,)]
    reader = HandReader()
    found(tokenised(tokens, [[0, 1], [2], [3], [0, 1]], [0, 2, 3, 1]), 10, reader)
    beginning, both_rows_with_the_fixed_run, both_rows_at_the_end = 1, 2 * 4, 2
    assert reader.passes == [beginning, both_rows_with_the_fixed_run, both_rows_at_the_end]
    reader = HandReader()
    scored([(2, 3, 4, 5, 6), (2, 3, 5, 4, 6)], reader)
    shared, apart = 3, 2 * 3
    assert reader.passes == [shared + apart]


def read_at_the_first_slot(*tokens, width):
    """The reading where the pool has all of these, in as many slots."""
    numbers, reader = range(len(tokens)), HandReader()
    found(tokenised(tokens, [numbers] * len(tokens), numbers), width, reader)
    nodes = (node for node in reader.read_nodes if node.parent and node.parent.parent is None)
    return [node.token for node in nodes]


def test_of_choices_only_what_decides_the_beam_is_read_and_what_begins_alike_as_one():
    one, other, *_, least = sorted(range(2, 8), key=lambda token: -after([BEGIN], [token]))
    assert least not in read_at_the_first_slot((one,), (other,), (least, 2, 2, 2), width=2)
    assert read_at_the_first_slot((2, 3, 4), (2, 3, 5), width=10) == [2]
