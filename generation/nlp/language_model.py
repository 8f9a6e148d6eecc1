"""Language models as word swapping sees them: puzzles in, beams out (PAWS 3.1, Figure 2c)."""

from collections import Counter
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
        return [slot.choices for slot in self.template.slots]

    @property
    def source(self) -> tuple[int, ...]:
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
        order = np.argsort(-totals[:, -1], kind="stable")
        return cls(fillings[order], totals[order])


class LanguageModel(Protocol):
    """A left-to-right language model with beam search."""

    @property
    def identity(self) -> dict[str, str]: ...

    def search(self, puzzles: Iterable[Puzzle], *, width: int) -> Iterator[Beam]:
        """Yield the best fillings of each puzzle, in order; they always include the source."""
        ...


class Hypotheses:
    """The rows of a beam: filled slots, remaining fillers, and running totals."""

    def __init__(self, puzzle: Puzzle, *, width: int) -> None:
        self.choices = [np.array(numbers, np.intp) for numbers in puzzle.choices]
        self._width, self._max_changes = width, puzzle.max_changes
        self._source = source = np.array(puzzle.source, np.intp)
        counts = Counter(puzzle.source)
        self._fillers_left = np.array(
            [[counts[number] for number in range(source.max() + 1)]], np.int16
        )
        self._fillings = np.zeros((1, len(source)), np.intp)
        self._totals = np.zeros((1, len(source) + 1))
        self._changes = np.zeros(1, np.intp)
        self._source_row = 0

    def __len__(self) -> int:
        return len(self._fillings)

    def append(self, slot: int, log_probs: Floats) -> None:
        """Add the only choice of this slot to every row; log-probabilities of shape (rows,)."""
        self._fillings[:, slot] = self.choices[slot][0]
        self._totals[:, slot] = self._totals_before(slot) + log_probs

    def scores(self, slot: int, log_probs: Floats) -> Floats:
        """Return totals of each row with each choice of this slot; -inf for disallowed choices.

        Log-probabilities of the choices, of shape (rows, choices), give scores of that shape.
        """
        fillers = self.choices[slot]
        is_source = fillers == self._source[slot]
        self._source_place = int(self._source_row * len(fillers) + is_source.argmax())
        self._with_changes = self._changes[:, None] + ~is_source
        scores: Floats = self._totals_before(slot)[:, None] + log_probs
        used_up = self._fillers_left[:, fillers] == 0
        scores[used_up | (self._with_changes > self._max_changes)] = -np.inf
        return scores

    def best(self, scores: Floats) -> Ints:
        """Return flat indices of the best scores, source included; ties go to the earlier one."""
        flat = scores.ravel()
        places = np.argsort(-flat, kind="stable")[: self._width]
        places = places[np.isfinite(flat[places])]
        places_of_source = np.flatnonzero(places == self._source_place)
        if not len(places_of_source):
            places[-1] = self._source_place
        self._source_row = int(places_of_source[0]) if len(places_of_source) else len(places) - 1
        return places

    def branch(self, slot: int, scores: Floats, places: Ints) -> tuple[Ints, Ints]:
        """Keep the rows at the best places; return the parent row and the choice of each."""
        fillers = self.choices[slot]
        parents, columns = np.divmod(places, len(fillers))
        numbers = fillers[columns]
        self._changes = self._with_changes.ravel()[places]
        self._fillings, self._totals = self._fillings[parents], self._totals[parents]
        self._fillers_left = self._fillers_left[parents]
        self._fillings[:, slot] = numbers
        self._totals[:, slot] = scores.ravel()[places]
        self._fillers_left[np.arange(len(parents)), numbers] -= 1
        return parents, columns

    def finish(self, log_probs: Floats) -> Beam:
        self._totals[:, -1] = self._totals[:, -2] + log_probs
        return Beam.ordered(self._fillings, self._totals)

    def _totals_before(self, slot: int) -> Floats:
        return self._totals[:, slot - 1] if slot else np.zeros(len(self._totals))
