"""A forest of tokens laid flat: what a neural model has read of several sentences at once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from generation.nlp.language_model import Floats, Ints

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A token to be read after its parent (None: at the beginning).

    `wanted` are the tokens whose natural-log probability after it is asked for.
    """

    parent: "Node | None"
    token: int
    wanted: Sequence[int]


def chain(parent: Node | None, tokens: Sequence[int], wanted: Sequence[int]) -> list[Node]:
    """Tokens one after the other, of which each wants the next, and the last what is wanted."""
    nodes: list[Node] = []
    for token, after in zip(tokens, [*([token] for token in tokens[1:]), wanted], strict=True):
        nodes.append(parent := Node(parent, token, after))
    return nodes


@dataclass(frozen=True, slots=True)
class Request:
    """Nodes to be read, parents first, and which others are needed later on.

    What a new or needed node follows is needed too; all else may be forgotten.
    """

    nodes: Sequence[Node]
    needed: Iterable[Node] = ()


class Reader(Protocol):
    """A model that reads nodes, each once, and remembers them for as long as they are needed."""

    def read(self, requests: Sequence[Request]) -> list[Floats]:
        """For each request the log-probabilities that its nodes want, node after node, flat."""
        ...


class TokenTree:
    """The columns of a model's memory: which node each holds, and which others it follows."""

    def __init__(self) -> None:
        self._columns: dict[Node, int] = {}
        self._follows: Bools = np.zeros((0, 0), np.bool_)

    def __len__(self) -> int:
        return len(self._columns)

    def add(self, nodes: Sequence[Node]) -> Bools:
        """Give nodes the next columns; parents come first.

        Returns which columns each follows, its own among them: shape (len(nodes), columns). The
        position of a token in its sentence is one less than how many these are.
        """
        old = len(self)
        follows = np.zeros((old + len(nodes), old + len(nodes)), np.bool_)
        follows[:old, :old] = self._follows
        for column, node in enumerate(nodes, old):
            if node.parent is not None:
                follows[column] = follows[self._columns[node.parent]]
            follows[column, column] = True
            self._columns[node] = column
        self._follows = follows
        return follows[old:]

    def prune(self, requests: Iterable[Request], *, above: float) -> Ints | None:
        """Forget what no request needs, when that is more than this share of all columns.

        Returns the columns that stay, in order, or None where nothing was forgotten.
        """
        tips = {node for r in requests for node in (*(n.parent for n in r.nodes), *r.needed)}
        places = [self._columns[tip] for tip in tips if tip in self._columns]
        kept = np.flatnonzero(self._follows[places].any(axis=0))
        if len(self) - len(kept) <= above * len(self):
            return None
        self._follows = self._follows[np.ix_(kept, kept)]
        nodes = list(self._columns)
        self._columns = {nodes[old]: new for new, old in enumerate(kept.tolist())}
        return kept


def passes(nodes: Sequence[Node], most: int) -> Iterator[Sequence[Node]]:
    """Nodes cut into parts of nearly equal size, of `most` nodes at most."""
    count = -(-len(nodes) // most)
    bounds = [len(nodes) * part // count for part in range(count + 1)]
    return (nodes[start:end] for start, end in pairwise(bounds))
