"""Beam search over the fillings of a template (PAWS 3.1, Figure 2c)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from generation.nlp.language_model import PhraseScorer

Ints = NDArray[np.intp]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Beam:
    """Complete fillings, the likeliest first.

    `fillings` has a row for each hypothesis and a column for each slot; `totals` holds the
    natural-log likelihood of the sentence up to and with each slot, and in its last column that of
    the whole sentence, its end included: shapes (n, slots) and (n, slots + 1).
    """

    fillings: Ints
    totals: Floats


@dataclass(frozen=True, slots=True)
class Puzzle:
    """What there is to search.

    `choices` names for each slot the fillers it may hold, `source` what it holds in the source: the
    fillers of the source are what there is to draw. At most `max_changes` slots may differ from it.
    """

    choices: Sequence[Sequence[int]]
    source: Sequence[int]
    max_changes: int


def search(puzzle: Puzzle, scorer: PhraseScorer, *, width: int) -> Beam:
    """Fill slots left to right, drawing without replacement, and keep the best `width` at each.

    The source itself is never dropped.
    """
    scorer.start()
    hypotheses = _Hypotheses(puzzle, scorer, width)
    for slot in range(len(puzzle.source)):
        hypotheses.fill(slot)
    return hypotheses.finish()


class _Hypotheses:
    """The rows of a beam: what each has filled, what it has left, and its running totals."""

    def __init__(self, puzzle: Puzzle, scorer: PhraseScorer, width: int) -> None:
        self._choices = [np.array(numbers, np.intp) for numbers in puzzle.choices]
        self._scorer, self._width, self._max_changes = scorer, width, puzzle.max_changes
        self._source = source = np.array(puzzle.source, np.intp)
        counts = Counter(puzzle.source)
        self._left = np.array([[counts[number] for number in range(source.max() + 1)]], np.int16)
        self._filled = np.zeros((1, len(source)), np.intp)
        self._totals = np.zeros((1, len(source) + 1))
        self._changes = np.zeros(1, np.intp)
        self._at_source = 0

    def fill(self, slot: int) -> None:
        """Put a filler into this slot of every row."""
        if len(self._choices[slot]) == 1:
            self._append(slot)
        else:
            self._branch(slot)

    def finish(self) -> Beam:
        """End the sentences and order them; of equal ones the first to arise comes first."""
        self._totals[:, -1] = self._totals[:, -2] + self._scorer.finish()
        order = np.argsort(-self._totals[:, -1], kind="stable")
        return Beam(self._filled[order], self._totals[order])

    def _append(self, slot: int) -> None:
        fillers = self._choices[slot]
        self._score(slot, self._before(slot) + self._scorer.peek(fillers)[:, 0])
        rows = len(self._filled)
        self._filled[:, slot] = fillers[0]
        self._scorer.advance(np.arange(rows), np.full(rows, fillers[0]))

    def _branch(self, slot: int) -> None:
        fillers = self._choices[slot]
        scores = self._before(slot)[:, None] + self._scorer.peek(fillers)
        changes = self._changes[:, None] + (fillers != self._source[slot])
        scores[(self._left[:, fillers] == 0) | (changes > self._max_changes)] = -np.inf
        places = self._best(scores, slot)
        parents, chosen = np.divmod(places, len(fillers))
        self._take(parents, slot, fillers[chosen])
        self._score(slot, scores.ravel()[places])
        self._changes = changes.ravel()[places]

    def _best(self, scores: Floats, slot: int) -> Ints:
        """Places of the best scores, the source's among them; ties go to the earlier."""
        flat = scores.ravel()
        places = np.argsort(-flat, kind="stable")[: self._width]
        places = places[np.isfinite(flat[places])]
        column = np.flatnonzero(self._choices[slot] == self._source[slot])[0]
        of_source = self._at_source * scores.shape[1] + column
        found = np.flatnonzero(places == of_source)
        if not len(found):
            places[-1] = of_source
        self._at_source = int(found[0]) if len(found) else len(places) - 1
        return places

    def _take(self, parents: Ints, slot: int, fillers: Ints) -> None:
        self._scorer.advance(parents, fillers)
        self._filled, self._totals = self._filled[parents], self._totals[parents]
        self._left = self._left[parents]
        self._filled[:, slot] = fillers
        self._left[np.arange(len(parents)), fillers] -= 1

    def _before(self, slot: int) -> Floats:
        return self._totals[:, slot - 1] if slot else np.zeros(len(self._totals))

    def _score(self, slot: int, totals: Floats) -> None:
        self._totals[:, slot] = totals
