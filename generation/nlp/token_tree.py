"""Trees of tokens in flat form: what a neural model reads of many sentences in one pass."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Tokens: TypeAlias = tuple[int, ...]
Ints: TypeAlias = NDArray[np.intp]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A token to be read after its parent (None: at the beginning).

    `wanted` are the tokens whose natural-log probability after it is requested.
    """

    parent: "Node | None"
    token: int
    wanted: Sequence[int]


def chain(parent: Node | None, tokens: Sequence[int], wanted: Sequence[int]) -> list[Node]:
    nodes: list[Node] = []
    for token, after in zip(tokens, [*([token] for token in tokens[1:]), wanted], strict=True):
        nodes.append(parent := Node(parent, token, after))
    return nodes


@dataclass(frozen=True, slots=True)
class Request:
    """Nodes to read, parents first, and other nodes that will be needed later.

    The ancestors of new and needed nodes are kept too; all other nodes may be dropped.
    """

    nodes: Sequence[Node]
    needed: Iterable[Node] = ()


class Reader(Protocol):
    """A model that reads each node once and keeps it as long as it is needed."""

    def read(self, requests: Sequence[Request]) -> list[Floats]:
        """Return, for each request, the wanted log-probabilities of its nodes as a flat array."""
        ...


class TokenTree:
    """The columns of a model's cache: the node of each, and the columns that it follows."""

    def __init__(self) -> None:
        self._columns: dict[Node, int] = {}
        self._follows: Bools = np.zeros((0, 0), np.bool_)

    def __len__(self) -> int:
        return len(self._columns)

    def add(self, nodes: Sequence[Node]) -> Bools:
        """Assign the next columns to nodes; parents come first.

        Returns a mask of the columns that each follows, its own included: shape (len(nodes),
        columns). The position of a token in its sentence is the number of these minus one.
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
        """Drop columns that no request needs, if they exceed the share `above` of all columns.

        Returns the kept columns, in order, or None if nothing was dropped.
        """
        tips: set[Node | None] = set()
        for request in requests:
            tips |= {node.parent for node in request.nodes} | {*request.needed}
        places = [self._columns[tip] for tip in tips if tip in self._columns]
        kept = np.flatnonzero(self._follows[places].any(axis=0))
        if len(self) - len(kept) <= above * len(self):
            return None
        self._follows = self._follows[np.ix_(kept, kept)]
        nodes = list(self._columns)
        self._columns = {nodes[old]: new for new, old in enumerate(kept.tolist())}
        return kept


def passes(nodes: Sequence[Node], most: int) -> Iterator[Sequence[Node]]:
    count = -(-len(nodes) // most)
    bounds = [len(nodes) * part // count for part in range(count + 1)]
    return (nodes[start:end] for start, end in pairwise(bounds))


Task: TypeAlias = Generator[Request, Floats, T]


def run_together(tasks: Iterable[Task[T]], reader: Reader, *, nodes: int) -> Iterator[T]:
    """Yield the result of each task, in order.

    A task requests nodes and continues with their log-probabilities. As many tasks run concurrently
    as are needed to request `nodes` nodes, so that each pass is worth its cost.
    """
    waiting = map(_RunningTask, tasks)
    working: deque[_RunningTask[T]] = deque()
    while _start_tasks(waiting, working, nodes):
        asking = [task for task in working if task.request is not None]
        answers = reader.read([task.request for task in asking if task.request is not None])
        for task, answer in zip(asking, answers, strict=True):
            task.resume(answer)
        while working and working[0].request is None:
            yield working.popleft().result


class _RunningTask(Generic[T]):
    """A task, and its pending request until it has a result."""

    result: T

    def __init__(self, task: Task[T]) -> None:
        self._task = task
        self.request: Request | None = next(task)

    def resume(self, answer: Floats) -> None:
        try:
            self.request = self._task.send(answer)
        except StopIteration as done:
            self.request, self.result = None, done.value


def _start_tasks(
    waiting: Iterator[_RunningTask[T]], working: deque[_RunningTask[T]], nodes: int
) -> bool:
    """Start tasks until enough nodes are requested; returns whether any task is running."""
    number = sum(len(task.request.nodes) for task in working if task.request is not None)
    while number < nodes and (task := next(waiting, None)) is not None:
        working.append(task)
        number += len(task.request.nodes) if task.request is not None else 0
    return bool(working)
