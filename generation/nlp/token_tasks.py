"""Batches the requests of many sentences for log-probabilities of a neural model."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from typing import Generic, TypeAlias, TypeVar

from generation.nlp.language_model import Floats
from generation.nlp.token_tree import Reader, Request

T = TypeVar("T")
Task: TypeAlias = Generator[Request, Floats, T]


def together(tasks: Iterable[Task[T]], reader: Reader, *, nodes: int) -> Iterator[T]:
    """Yield the result of each task, in order.

    A task requests nodes and continues with their log-probabilities. As many tasks run concurrently
    as are needed to request `nodes` nodes, so that each pass is worth its cost.
    """
    waiting = map(_Working, tasks)
    working: deque[_Working[T]] = deque()
    while _admit(waiting, working, nodes):
        asking = [task for task in working if task.request is not None]
        answers = reader.read([task.request for task in asking if task.request is not None])
        for task, answer in zip(asking, answers, strict=True):
            task.resume(answer)
        while working and working[0].request is None:
            yield working.popleft().result


class _Working(Generic[T]):
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


def _admit(waiting: Iterator[_Working[T]], working: deque[_Working[T]], nodes: int) -> bool:
    """Start tasks until enough nodes are requested; returns whether any task is running."""
    asked = sum(len(task.request.nodes) for task in working if task.request is not None)
    while asked < nodes and (task := next(waiting, None)) is not None:
        working.append(task)
        asked += len(task.request.nodes) if task.request is not None else 0
    return bool(working)
