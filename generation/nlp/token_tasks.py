"""Sentences that ask a neural model for log-probabilities, many at once."""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from typing import Generic, TypeAlias, TypeVar

from generation.nlp.language_model import Floats
from generation.nlp.token_tree import Reader, Request

T = TypeVar("T")
Task: TypeAlias = Generator[Request, Floats, T]


def together(tasks: Iterable[Task[T]], reader: Reader, *, nodes: int) -> Iterator[T]:
    """What each task comes to, in order.

    A task asks for nodes to be read and goes on with their log-probabilities. As many are worked
    at once as it takes to have `nodes` nodes to read, so that each pass is worth its cost.
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
    """A task, and what it asks for until it has its result."""

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
    """Begin further tasks until enough is asked for; whether any task is at work."""
    asked = sum(len(task.request.nodes) for task in working if task.request is not None)
    while asked < nodes and (task := next(waiting, None)) is not None:
        working.append(task)
        asked += len(task.request.nodes) if task.request is not None else 0
    return bool(working)
