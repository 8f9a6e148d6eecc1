"""Agreement of each annotator with reference labels: other people's majority, or everybody's.

A majority that includes the annotator's own label overstates agreement: with five judges, a fifth
of the reference is the label itself. annotation.agreement.selectors.comparison leaves it out.
"""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from annotation.stats.agreement import Estimate, Tally, cohen_kappa
from annotation.stats.consensus import most_frequent
from annotation.stats.intervals import wilson

Person = TypeVar("Person", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Confusion:
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
    def accuracy(self) -> Estimate:
        """The share of pairs with the same label; undefined without pairs.

        Wilson's interval applies because each pair has one label of this annotator.
        """
        share = self.agreeing / self.pairs if self.pairs else None
        return Estimate(share, wilson(self.agreeing, self.pairs))

    @property
    def kappa(self) -> Estimate:
        """Cohen's kappa; undefined without pairs, or if both always give the same one label."""
        return cohen_kappa(self.counts)


def with_majority(counts: Mapping[tuple[Person, int, Tally], int]) -> dict[Person, Confusion]:
    """Compare with the majority of all labels, the annotator's included (PARADE 4.3); skip ties.

    `counts` is the number of pairs by annotator, their label, and tally of all labels.
    """
    found = defaultdict[Person, Counter[tuple[int, int]]](Counter)
    for (person, own, tally), pairs in counts.items():
        compared = found[person]
        majority = most_frequent(tally) if any(tally) else None
        if majority is not None:
            compared[own, majority] += pairs
    return {person: Confusion(dict(compared)) for person, compared in found.items()}
