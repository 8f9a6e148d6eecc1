"""The interface between word swapping and language models (PAWS 3.1)."""

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
    """A search problem: the fillings of a template.

    Fillers are drawn from those of the source, and at most `max_changes` slots may differ from it.
    Models use either the words, in mid-sentence spelling, or the text.
    """

    template: Template
    max_changes: int

    @property
    def choices(self) -> list[tuple[int, ...]]:
        """The fillers allowed in each slot."""
        return [slot.choices for slot in self.template.slots]

    @property
    def source(self) -> tuple[int, ...]:
        """The filler of each slot in the source."""
        return self.template.source

    @property
    def words(self) -> list[tuple[str, ...]]:
        """The words of each filler; a sentence's first word is lower-cased unless it is a name."""
        return [filler.words for filler in self.template.fillers]


@dataclass(frozen=True, slots=True)
class Beam:
    """Complete fillings, likeliest first.

    `fillings` has a row for each hypothesis and a column for each slot; `totals` holds the
    natural-log likelihood of the sentence up to and including each slot, and in its last column
    that of the whole sentence, end included: shapes (n, slots) and (n, slots + 1).
    """

    fillings: Ints
    totals: Floats

    @classmethod
    def ordered(cls, fillings: Ints, totals: Floats) -> "Beam":
        """Create a beam sorted by likelihood; ties keep their order."""
        order = np.argsort(-totals[:, -1], kind="stable")
        return cls(fillings[order], totals[order])


class LanguageModel(Protocol):
    """A left-to-right language model with beam search."""

    @property
    def identity(self) -> dict[str, str]:
        """Name and revision or SHA-256, stored with every run."""
        ...

    def search(self, puzzles: Iterable[Puzzle], *, width: int) -> Iterator[Beam]:
        """Yield the best fillings of each puzzle, in order, from a beam of `width`.

        They always include the source. A model may read ahead to process several puzzles together.
        """
        ...


class Rescorer(Protocol):
    """A language model that scores complete sentences."""

    @property
    def identity(self) -> dict[str, str]:
        """Name and revision or SHA-256, stored with every run."""
        ...

    def rescore(self, shortlists: Iterable[tuple[Puzzle, Ints]]) -> Iterator[Floats]:
        """Yield the totals of the fillings of each puzzle, in order, as in `Beam`.

        Fillings of shape (n, slots) give totals of shape (n, slots + 1).
        """
        ...
