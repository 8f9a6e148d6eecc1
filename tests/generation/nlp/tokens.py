"""A model of tokens small enough to ask by hand, and puzzles whose fillers have several tokens."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from generation.nlp.token_search import TokenPuzzle
from generation.nlp.token_tree import Node, Request, TokenTree
from tests.generation.nlp import toy

BEGIN, END, SIZE = 0, 1, 8

token_lists = st.lists(st.integers(2, SIZE - 1), min_size=1, max_size=3).map(tuple)


def log_prob(before: Sequence[int], token: int) -> float:
    """That of a token after others: it depends on all of them."""
    return _log_probs(tuple(before))[token]


@lru_cache(10_000)
def _log_probs(before: tuple[int, ...]) -> list[float]:
    weights = np.random.default_rng(before).gumbel(size=SIZE) * 2
    return (weights - np.logaddexp.reduce(weights)).tolist()


def score(tokens: Sequence[int]) -> float:
    """The log-likelihood of a sentence, its end included."""
    whole = [BEGIN, *tokens, END]
    return sum(log_prob(whole[:place], whole[place]) for place in range(1, len(whole)))


class HandReader:
    """Reads nodes as a neural model does, and keeps a book of what it was asked."""

    def __init__(self, *, forgetful: bool = True) -> None:
        self.read_nodes: list[Node] = []
        self.passes: list[int] = []
        self._tree, self._before = TokenTree(), dict[Node, tuple[int, ...]]()
        self._forgetful = forgetful

    def read(self, requests: Sequence[Request]) -> list[NDArray[np.float64]]:
        if self._forgetful:
            self._tree.prune(requests, above=0.0)
        self.passes.append(sum(len(request.nodes) for request in requests))
        return [np.array([*self._answers(request)]) for request in requests]

    def _answers(self, request: Request):
        self._tree.add(request.nodes)
        for node in request.nodes:
            before = self._before[node.parent] if node.parent else ()
            self._before[node] = (*before, node.token)
            self.read_nodes.append(node)
            yield from (log_prob(self._before[node], token) for token in node.wanted)


@st.composite
def puzzles(draw: st.DrawFn) -> TokenPuzzle:
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
