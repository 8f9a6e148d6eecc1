"""How far a build is."""

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
    """Set by the thread that works and read by the one that renews its lease.

    `done` of `total` rows of a step; a total of 0 means that nobody knows how many there will be.
    """

    step: str = ""
    done: int = 0
    total: int = 0

    def begin(self, step: str, total: int = 0) -> None:
        """Nothing of the step is done yet."""
        self.step, self.done, self.total = step, 0, total

    def counting(self, rows: Iterable[T]) -> Iterator[T]:
        """The same rows, counted on their way."""
        for some in batches(rows):
            yield from some
            self.done += len(some)

    def columns(self) -> dict[str, str | int]:
        """As the row of the release holds it."""
        return {"step": self.step, "done": self.done, "total": self.total}
