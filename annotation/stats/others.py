"""Each annotator beside the others: how often their label is the one that others settle on.

Against a majority that holds the annotator's own label everybody looks better than they are: of
five judges each is a fifth of what they are measured by. So the label is taken out first
(leave-one-out), and what the others alone say is what it is compared with. Where they tie they say
nothing, and the pair is left out of that annotator's figures.

A million judgments come to a few hundred different (annotator, label, tally of the pair): these
are all that is looked at.
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
    """One annotator's labels beside other labels: {(own, other): pairs that have the two}."""

    counts: Mapping[tuple[int, int], int]

    @property
    def pairs(self) -> int:
        """That could be compared."""
        return sum(self.counts.values())

    @property
    def agreeing(self) -> int:
        """Of them, those with the same label."""
        return sum(pairs for (own, other), pairs in self.counts.items() if own == other)

    @property
    def accuracy(self) -> float | None:
        """The share with the same label; None without a pair."""
        return self.agreeing / self.pairs if self.pairs else None

    @property
    def accuracy_interval(self) -> Interval | None:
        """Wilson's: each pair holds one label of theirs, so their labels are drawn alone."""
        return wilson(self.agreeing, self.pairs)

    @property
    def kappa(self) -> float | None:
        """Cohen's; None without a pair, and where both give one and the same label throughout."""
        return cohen_kappa_of(self.counts)

    def kappa_interval(self, *, seed: int) -> Interval | None:
        """By the bootstrap over pairs."""
        return kappa_interval(self.counts, seed=seed)


def of_judgments(judgments: Iterable[tuple[Hashable, Person, int]]) -> dict[Person, Beside]:
    """Leave-one-out figures from (pair, annotator, label), labels from 0 on, in any order.

    Everybody with a judgment is there, if only with no pair that could be compared.

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
    """The same from how many pairs have each (annotator, their label, tally of all labels).

    Raises ValueError for a label that is not in its tally.
    """
    return _beside(
        (person, own, _without(tally, own), pairs) for (person, own, tally), pairs in counts.items()
    )


def with_majority(counts: Mapping[tuple[Person, int, Tally], int]) -> dict[Person, Beside]:
    """Beside the majority of all, their own label included (PARADE 4.3); ties are left out."""
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
