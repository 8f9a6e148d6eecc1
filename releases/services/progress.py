"""Progress of a build or a preview."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from releases.dataset.batches import batches

T = TypeVar("T")

READING, PLANNING, FREEZING = "reading", "planning", "freezing"
SENTENCES, JUDGMENTS, FILES, PACKING = "sentences", "judgments", "files", "packing"
STEPS = (READING, PLANNING, FREEZING, SENTENCES, JUDGMENTS, FILES, PACKING)


@dataclass(slots=True)
class Progress:
    """Progress of a step, set by the working thread and read by the one that renews the lease.

    `done` and `total` count rows of the step; a total of 0 means unknown.
    """

    step: str = ""
    done: int = 0
    total: int = 0

    def begin(self, step: str, total: int = 0) -> None:
        """Begin a step with no rows done."""
        self.step, self.done, self.total = step, 0, total

    def counting(self, rows: Iterable[T]) -> Iterator[T]:
        """Yield the rows unchanged, counting them."""
        for some in batches(rows):
            yield from some
            self.done += len(some)

    def columns(self) -> dict[str, str | int]:
        """Return the columns of Leased that hold the progress."""
        return {"step": self.step, "done": self.done, "total": self.total}
