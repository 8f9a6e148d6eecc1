"""Scores complete sentences with token-based models, reading all of them as one tree."""

from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np

from generation.nlp.language_model import Floats, Ints
from generation.nlp.token_search import TokenPuzzle
from generation.nlp.token_tasks import Task
from generation.nlp.token_tree import Node, Request


def retrace(puzzle: TokenPuzzle, fillings: Ints) -> Task[Floats]:
    """Return a task that scores fillings of shape (n, slots): totals of shape (n, slots + 1).

    Shared prefixes are read once, and all nodes are requested together.
    """
    trie = _Trie(puzzle.begin)
    rows = [[*puzzle.parts(filling), (puzzle.end,)] for filling in fillings.tolist()]
    paths = [trie.path(list(chain.from_iterable(parts))) for parts in rows]
    answer = yield Request(trie.nodes)
    firsts = trie.firsts()
    totals = np.zeros((len(rows), len(puzzle.tokens) + 1))
    for row, parts, path in zip(totals, rows, paths, strict=True):
        log_probs = answer[[firsts[node] + place for node, place in path]]
        starts = [0, *accumulate(map(len, parts[:-1]))]
        row[:] = np.cumsum(np.add.reduceat(log_probs, starts))
    return totals


class _Trie:
    """The nodes of several sentences with a shared first node."""

    def __init__(self, begin: int) -> None:
        self._wanted: list[list[int]] = [[]]
        self.nodes = [Node(None, begin, self._wanted[0])]
        self._children: dict[tuple[int, int], int] = {}

    def path(self, tokens: Sequence[int]) -> list[tuple[int, int]]:
        """Return, for each token, the node before it and its index in that node's wanted tokens."""
        nodes = [0]
        for token in tokens[:-1]:
            nodes.append(self._child(nodes[-1], token))
        return [(node, self._place(node, token)) for node, token in zip(nodes, tokens, strict=True)]

    def firsts(self) -> list[int]:
        """Return the offset of each node's log-probabilities in the answer."""
        return [0, *accumulate(map(len, self._wanted[:-1]))]

    def _place(self, node: int, token: int) -> int:
        wanted = self._wanted[node]
        if token not in wanted:
            wanted.append(token)
        return wanted.index(token)

    def _child(self, node: int, token: int) -> int:
        if (node, token) not in self._children:
            self._children[node, token] = len(self.nodes)
            self._wanted.append([])
            self.nodes.append(Node(self.nodes[node], token, self._wanted[-1]))
        return self._children[node, token]
