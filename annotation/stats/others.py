"""Agreement of each annotator with the majority of the other annotators.

A majority that includes the annotator's own label overstates agreement: with five judges, a fifth
of the reference is the label itself. So that label is removed first (leave-one-out). If the
remaining labels tie, the pair is left out of that annotator's figures.

A million judgments reduce to a few hundred distinct (annotator, label, tally of the pair).
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from annotation.stats.agreement import Tally, cohen_kappa_of
from annotation.stats.consensus import most_frequent
from annotation.stats.intervals import wilson
from annotation.stats.uncertainty import Interval, kappa_interval

Person = TypeVar("Person", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Beside:
    """One annotator's labels compared with reference labels: {(own, other): number of pairs}."""

    counts: Mapping[tuple[int, int], int]

    @property
    def pairs(self) -> int:
        """The number of compared pairs."""
        return sum(self.counts.values())

    @property
    def agreeing(self) -> int:
        """The number of pairs with the same label."""
        return sum(pairs for (own, other), pairs in self.counts.items() if own == other)

    @property
    def accuracy(self) -> float | None:
        """The share of pairs with the same label; None without pairs."""
        return self.agreeing / self.pairs if self.pairs else None

    @property
    def accuracy_interval(self) -> Interval | None:
        """Wilson interval; it applies because each pair has one label of this annotator."""
        return wilson(self.agreeing, self.pairs)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None without pairs, or if both sides always give the same one label."""
        return cohen_kappa_of(self.counts)

    def kappa_interval(self, *, seed: int) -> Interval | None:
        """Return the interval of kappa by the bootstrap over pairs."""
        return kappa_interval(self.counts, seed=seed)


def of_judgments(judgments: Iterable[tuple[Hashable, Person, int]]) -> dict[Person, Beside]:
    """Return leave-one-out figures by annotator from (pair, annotator, label), in any order.

    Labels start at 0. Annotators without a comparable pair are included.

    >>> found = of_judgments([(1, "ann", 1), (1, "ben", 1), (1, "cis", 0)])
    >>> found["cis"].counts, found["ann"].counts
    ({(0, 1): 1}, {})
    """
    given = list(judgments)
    labels = 1 + max((label for _, _, label in given), default=0)
    tallies = defaultdict[Hashable, list[int]](lambda: [0] * labels)
    for pair, _, label in given:
        tallies[pair][label] += 1
    frozen = {pair: tuple(tally) for pair, tally in tallies.items()}
    return leaving_one_out(Counter((person, label, frozen[pair]) for pair, person, label in given))


def leaving_one_out(counts: Mapping[tuple[Person, int, Tally], int]) -> dict[Person, Beside]:
    """Return leave-one-out figures from pair counts by (annotator, label, tally of all labels).

    Raises ValueError if a label is not in its tally.
    """
    return _beside(
        (person, own, _without(tally, own), pairs) for (person, own, tally), pairs in counts.items()
    )


def with_majority(counts: Mapping[tuple[Person, int, Tally], int]) -> dict[Person, Beside]:
    """Compare with the majority of all labels, the annotator's included (PARADE 4.3); skip ties."""
    return _beside((person, own, tally, pairs) for (person, own, tally), pairs in counts.items())


def _beside(rows: Iterable[tuple[Person, int, Tally, int]]) -> dict[Person, Beside]:
    found = defaultdict[Person, Counter[tuple[int, int]]](Counter)
    for person, own, tally, pairs in rows:
        counts = found[person]
        other = most_frequent(tally) if any(tally) else None
        if other is not None:
            counts[own, other] += pairs
    return {person: Beside(dict(counts)) for person, counts in found.items()}


def _without(tally: Tally, own: int) -> Tally:
    if not 0 <= own < len(tally) or not tally[own]:
        raise ValueError(f"the label {own} is not among those of its pair: {tally}")
    return (*tally[:own], tally[own] - 1, *tally[own + 1 :])
