"""The seam between word swapping and language models (PAWS 3.1)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from generation.nlp.templates import Template

Ints: TypeAlias = NDArray[np.intp]
Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """What there is to search: the fillings of a template.

    The fillers of the source are what there is to draw, and at most `max_changes` slots may differ
    from it. A model takes what it needs: words as they are written inside a sentence, or text.
    """

    template: Template
    max_changes: int

    @property
    def choices(self) -> list[tuple[int, ...]]:
        """For each slot the fillers that it may hold."""
        return [slot.choices for slot in self.template.slots]

    @property
    def source(self) -> tuple[int, ...]:
        """What each slot holds in the source."""
        return self.template.source

    @property
    def words(self) -> list[tuple[str, ...]]:
        """The words of each filler; the first of a sentence has no capital unless it is a name."""
        return [filler.words for filler in self.template.fillers]


@dataclass(frozen=True, slots=True)
class Beam:
    """Complete fillings, the likeliest first.

    `fillings` has a row for each hypothesis and a column for each slot; `totals` holds the
    natural-log likelihood of the sentence up to and with each slot, and in its last column that of
    the whole sentence, its end included: shapes (n, slots) and (n, slots + 1).
    """

    fillings: Ints
    totals: Floats

    @classmethod
    def ordered(cls, fillings: Ints, totals: Floats) -> "Beam":
        """The likeliest first; of equal ones the first given comes first."""
        order = np.argsort(-totals[:, -1], kind="stable")
        return cls(fillings[order], totals[order])


class LanguageModel(Protocol):
    """A left-to-right language model that searches."""

    @property
    def identity(self) -> dict[str, str]:
        """Name and revision or SHA-256, stored with every run."""
        ...

    def search(self, puzzles: Iterable[Puzzle], *, width: int) -> Iterator[Beam]:
        """The best fillings of each puzzle, in order, by a beam that keeps `width` at each slot.

        The source is always among them. A model may read ahead, to work several puzzles at once.
        """
        ...


class Rescorer(Protocol):
    """A language model that scores sentences which are complete."""

    @property
    def identity(self) -> dict[str, str]:
        """Name and revision or SHA-256, stored with every run."""
        ...

    def rescore(self, shortlists: Iterable[tuple[Puzzle, Ints]]) -> Iterator[Floats]:
        """The totals of the fillings of each puzzle, as a Beam has them, in order.

        Fillings of shape (n, slots) give totals of shape (n, slots + 1).
        """
        ...
