"""Two-stage search: a fast model finds rewrites, a better model rescores them."""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import tee

import numpy as np

from generation.nlp.language_model import Beam, Ints, LanguageModel, Puzzle, Rescorer


@dataclass(frozen=True, slots=True)
class TwoStageModel:
    """A language model that searches with one model and scores the results with another.

    Attributes:
        model: finds rewrites, by its own beam.
        rescorer: gives the final scores of the `best` likeliest rewrites and of the source.
    """

    model: LanguageModel
    rescorer: Rescorer
    best: int

    @property
    def identity(self) -> dict[str, str]:
        """The identity of the rescorer."""
        return self.rescorer.identity

    def search(self, puzzles: Iterable[Puzzle], *, width: int) -> Iterator[Beam]:
        """Yield the likeliest fillings of each puzzle, source included, ranked by the rescorer."""
        ours, theirs = tee(puzzles)
        beams = self.model.search(theirs, width=width)
        waiting: deque[Ints] = deque()
        shortlists = self._shortlists(zip(ours, beams, strict=True), waiting)
        for totals in self.rescorer.rescore(shortlists):
            yield Beam.ordered(waiting.popleft(), totals)

    def _shortlists(
        self, found: Iterable[tuple[Puzzle, Beam]], waiting: deque[Ints]
    ) -> Iterator[tuple[Puzzle, Ints]]:
        for puzzle, beam in found:
            waiting.append(shortlist(puzzle, beam, self.best))
            yield puzzle, waiting[-1]


def shortlist(puzzle: Puzzle, beam: Beam, best: int) -> Ints:
    """Return the `best` likeliest rewrites of a beam, plus the source at its rank."""
    is_source = (beam.fillings == puzzle.source).all(axis=1)
    is_among = np.cumsum(~is_source) <= best
    fillings: Ints = beam.fillings[is_source | is_among]
    return fillings
