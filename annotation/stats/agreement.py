"""Measures of agreement and their 95 % intervals, from tallies of labels.

No measure depends on the order of pairs, so all take a `VoteTable`: the number of pairs with each
tally. Five binary judgments make six tallies, whatever the size of the project:
{(5, 0): 31000, (4, 1): 5000, ...}, label 0 first.

Each formula is written once, for many samples of pairs at a time: the value of a table is that of
one sample, which holds each pair once, and its interval is that of bootstrap samples
(annotation.stats.intervals). A chance-corrected measure is None if chance alone gives full
agreement (all labels are equal) or if nothing can be compared (no pair was judged twice).
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from annotation.stats.consensus import PAWS, Protocol, decide_tally, most_frequent
from annotation.stats.intervals import Array, Interval, bootstrap, wilson
from annotation.stats.labels import FEWEST, SAME_OR_DIFFERENT, Level, Scheme

Person = TypeVar("Person", bound=Hashable)
Tally = tuple[int, ...]
VoteTable = Mapping[Tally, int]
# Squared distances between labels, from how often each was given: (..., labels) -> (..., labels,
# labels).
Distance = Callable[[Array], Array]
# Takes kinds of pairs, shape (kinds, labels), and how many of each a sample holds, shape (samples,
# kinds); returns a value for each sample, NaN where undefined.
Measure = Callable[[Array, Array], Array]


class LongerTally(tuple[int, ...]):
    """The tally of a pair about which more people than the first were asked; `first` is theirs.

    It is the key of a VoteTable like any other. Measures of agreement count `first`: more people
    are asked where the first disagree, so all answers together would not be comparable.
    """

    first: Tally

    def __new__(cls, tally: Iterable[int], first: Iterable[int]) -> "LongerTally":
        row = super().__new__(cls, tally)
        row.first = tuple(first)
        return row

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LongerTally):
            return False
        return self.first == other.first and super().__eq__(other)

    def __hash__(self) -> int:
        return hash((tuple(self), self.first))


def as_key(tally: Iterable[int], first: Iterable[int] | None) -> Tally:
    """Return the key of a pair in a VoteTable; `first` is None if only the first were asked."""
    return tuple(tally) if first is None else LongerTally(tally, first)


def first_of(tally: Tally) -> Tally:
    """Return the tally of the first people."""
    return tally.first if isinstance(tally, LongerTally) else tally


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95 % interval; None where undefined."""

    value: float | None
    interval: Interval | None = None

    @property
    def cells(self) -> tuple[float | None, ...]:
        """The value and the ends of its interval, for a row of a table."""
        return self.value, *(self.interval or (None, None))


UNDEFINED = Estimate(None)


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement between the judges of a number of pairs.

    `human` is the share of answers that equal the majority of their pair (PAWS, Table 3): its side
    where sides decide, else its label. The others compare labels, corrected for chance: Fleiss'
    kappa, and Krippendorff's alpha with nominal, ordinal and interval distances. Distances that
    labels of this `level` do not have are undefined; with two labels, nominal and ordinal alpha are
    equal.
    """

    level: Level
    pairs: int
    human: Estimate
    fleiss: Estimate
    alpha: Estimate
    ordinal: Estimate
    interval_alpha: Estimate

    @property
    def headline(self) -> Estimate:
        """The alpha whose distances are those of the level of the labels."""
        return {
            Level.NOMINAL: self.alpha,
            Level.ORDINAL: self.ordinal,
            Level.INTERVAL: self.interval_alpha,
        }[self.level]


@dataclass(frozen=True, slots=True)
class Filtered:
    """Agreement on all pairs, and on those with enough agreeing votes."""

    before: Agreement
    after: Agreement


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
        return sum(pairs for (label, reference), pairs in self.counts.items() if label == reference)

    @property
    def accuracy(self) -> Estimate:
        """The share of pairs with the same label; undefined without pairs."""
        share = self.agreeing / self.pairs if self.pairs else None
        # Wilson's interval applies because each pair has one label of this annotator.
        return Estimate(share, wilson(self.agreeing, self.pairs))

    @property
    def kappa(self) -> Estimate:
        """Cohen's kappa; undefined without pairs, or if both always give the same one label."""
        return cohen_kappa(self.counts)

    @property
    def kappa_value(self) -> float | None:
        """Cohen's kappa without its interval, which takes a thousand samples."""
        return _value(*_cells(self.counts), _cohen)


def measure(votes: VoteTable, scheme: Scheme = SAME_OR_DIFFERENT) -> Agreement:
    """Measure a table of votes.

    >>> measure({(5, 0): 1, (1, 4): 1}).human.value
    0.9
    """
    has_order = scheme.is_ordered or scheme.size == FEWEST
    return Agreement(
        level=scheme.level,
        pairs=sum(votes.values()),
        human=human(folded(votes, scheme)),
        fleiss=fleiss_kappa(votes),
        alpha=krippendorff_alpha(votes),
        ordinal=krippendorff_alpha(votes, distance=ordinal) if has_order else UNDEFINED,
        interval_alpha=headline_alpha(votes, scheme) if scheme.has_equal_steps else UNDEFINED,
    )


def folded(votes: VoteTable, scheme: Scheme) -> VoteTable:
    """Return the votes that human agreement counts: for sides where these decide, else as given.

    >>> from annotation.stats.labels import scale
    >>> folded({(2, 1, 0, 2): 3}, scale(3, border=2))
    {(3, 2): 3}
    """
    if not (scheme.is_binary and scheme.folds):
        return votes
    table = Counter[Tally]()
    for tally, pairs in votes.items():
        table[scheme.votes(first_of(tally))] += pairs
    return dict(table)


def filtered(votes: VoteTable, protocol: Protocol = PAWS) -> Filtered:
    """Measure all pairs, and those that the filter keeps (PAWS 4, "After post-filtering")."""
    before, kept = measure(votes, protocol.scheme), kept_votes(votes, protocol)
    return Filtered(before, before if kept == votes else measure(kept, protocol.scheme))


def kept_votes(votes: VoteTable, protocol: Protocol = PAWS) -> VoteTable:
    """Return the votes of pairs that pass the filter (PAWS 4: "four or five raters agreeing")."""
    return {tally: pairs for tally, pairs in votes.items() if decide_tally(tally, protocol).kept}


def with_majority(counts: Mapping[tuple[Person, int, Tally], int]) -> dict[Person, Confusion]:
    """Compare with the majority of all labels, the annotator's included (PARADE 4.3); skip ties.

    That overstates agreement: with five judges, a fifth of the reference is the label itself.
    annotation.agreement.by_person.Comparison.with_others leaves it out. `counts` is the number of
    pairs by annotator, their label, and tally of all labels.
    """
    confusion_counts = defaultdict[Person, Counter[tuple[int, int]]](Counter)
    for (person, label, tally), pairs in counts.items():
        counts_of_person = confusion_counts[person]
        majority = most_frequent(tally) if any(tally) else None
        if majority is not None:
            counts_of_person[label, majority] += pairs
    return {
        person: Confusion(dict(counts_of_person))
        for person, counts_of_person in confusion_counts.items()
    }


def human_agreement(votes: VoteTable) -> float | None:
    """Return the share of labels that equal the majority label of their pair (PAWS, Table 3).

    In a tie, the labels of one side count. None without judgments.

    >>> human_agreement({(5, 0): 1, (1, 4): 1})
    0.9
    """
    return _value(*as_arrays(votes, fewest=1), _human)


def human(votes: VoteTable) -> Estimate:
    """Return `human_agreement` with its interval."""
    return _estimate(*as_arrays(votes, fewest=1), _human)


def human_by(votes: VoteTable, scheme: Scheme) -> Estimate:
    """Return human agreement by the labels of a study; undefined where votes decide none."""
    return human(folded(votes, scheme)) if scheme.decides else UNDEFINED


def fleiss_kappa(votes: VoteTable) -> Estimate:
    """Return the agreement beyond chance of a fixed number of raters (Fleiss 1971).

    Ignores pairs with fewer than two judgments. Undefined if the others have different numbers of
    judgments: `krippendorff_alpha` allows that.
    """
    tallies, pairs = as_arrays(votes)
    if len(set(tallies.sum(axis=1))) > 1:
        return Estimate(None)
    return _estimate(tallies, pairs, _fleiss)


def krippendorff_alpha(votes: VoteTable, *, distance: Distance | None = None) -> Estimate:
    """Return the agreement beyond chance of any number of raters, with missing labels allowed.

    `distance` is `nominal` (the default), `ordinal` or `interval(values)`. Ignores pairs with fewer
    than two judgments.
    Krippendorff, "Computing Krippendorff's Alpha-Reliability", 2011.
    """
    return _estimate(*as_arrays(votes), partial(_alpha, distance or nominal))


def headline_alpha(votes: VoteTable, scheme: Scheme) -> Estimate:
    """Return Krippendorff's alpha with the distances of the level of a scheme."""
    return krippendorff_alpha(votes, distance=distance_of(scheme))


def cohen_kappa(counts: Mapping[tuple[int, int], int]) -> Estimate:
    """Return Cohen's kappa (1960) from pair counts by both labels: {(0, 0): 40, (0, 1): 3, ...}."""
    return _estimate(*_cells(counts), _cohen)


def nominal(totals: Array) -> Array:
    """Return distance 1 for any two labels."""
    labels = totals.shape[-1]
    return np.broadcast_to(1 - np.eye(labels), (*totals.shape, labels))


def ordinal(totals: Array) -> Array:
    """Return distances by the number of labels given in between."""
    middles = np.cumsum(totals, axis=-1) - totals / 2
    distances: Array = (middles[..., :, None] - middles[..., None, :]) ** 2
    return distances


def interval(values: Sequence[int]) -> Distance:
    """Return a function for squared differences between the values of labels."""
    distances: Array = np.subtract.outer(values, values).astype(float) ** 2

    def squared_differences(totals: Array) -> Array:
        labels = totals.shape[-1]
        return np.broadcast_to(distances[:labels, :labels], (*totals.shape, labels))

    return squared_differences


def distance_of(scheme: Scheme) -> Distance:
    """Return the distances that the level of a scheme allows."""
    if scheme.has_equal_steps:
        return interval(scheme.values)
    return ordinal if scheme.is_ordered else nominal


def as_arrays(votes: VoteTable, *, fewest: int = 2) -> tuple[Array, Array]:
    """Return tallies, shape (tallies, labels), and the number of pairs with each.

    Tallies with fewer than `fewest` judgments are left out. Only the first people's answers count.
    """
    first_votes = Counter[Tally]()
    for tally, pairs in votes.items():
        first_votes[first_of(tally)] += pairs
    # Sorted, because the samples of the bootstrap depend on the order.
    ordered = sorted(first_votes.items(), reverse=True)
    usable = {tally: pairs for tally, pairs in ordered if pairs and sum(tally) >= fewest}
    labels = max(map(len, usable), default=0)
    padded = [[*tally, *[0] * (labels - len(tally))] for tally in usable]
    tallies = np.array(padded, dtype=float).reshape(len(usable), labels)
    return tallies, np.array(list(usable.values()), dtype=float)


def _cells(counts: Mapping[tuple[int, int], int]) -> tuple[Array, Array]:
    """Return the cells of a confusion that have pairs, shape (cells, 2), and their numbers."""
    cells = {cell: pairs for cell, pairs in sorted(counts.items()) if pairs}
    pairs = np.array(list(cells.values()), dtype=float)
    return np.array(list(cells), dtype=float), pairs


def _estimate(kinds: Array, pairs: Array, measure: Measure) -> Estimate:
    value = _value(kinds, pairs, measure)
    return Estimate(value, None if value is None else bootstrap(kinds, pairs, measure))


def _value(kinds: Array, pairs: Array, measure: Measure) -> float | None:
    if not len(pairs):
        return None
    [value] = measure(kinds, pairs[None, :])
    return None if np.isnan(value) else float(value)


def _human(tallies: Array, samples: Array) -> Array:
    return _divide(samples @ tallies.max(axis=1), samples @ tallies.sum(axis=1))


def _fleiss(tallies: Array, samples: Array) -> Array:
    raters = tallies.sum(axis=1)
    agreeing = (tallies * (tallies - 1)).sum(axis=1) / (raters * (raters - 1))
    shares = samples @ tallies / (samples @ raters)[:, None]
    return _beyond_chance(samples @ agreeing / samples.sum(axis=1), (shares**2).sum(axis=1))


def _alpha(distance: Distance, tallies: Array, samples: Array) -> Array:
    totals, weights = samples @ tallies, samples / (tallies.sum(axis=1) - 1)
    together = np.tensordot(weights, tallies[:, :, None] * tallies[:, None, :], axes=1)
    distances = distance(totals)
    observed = np.einsum("sij,sij->s", together, distances)
    expected = np.einsum("si,sj,sij->s", totals, totals, distances) / (totals.sum(axis=1) - 1)
    return 1 - _divide(observed, expected)


def _cohen(cells: Array, samples: Array) -> Array:
    total = samples.sum(axis=1)
    expected = sum(
        (samples @ (cells[:, 0] == label)) * (samples @ (cells[:, 1] == label))
        for label in np.unique(cells)
    )
    return _beyond_chance(samples @ (cells[:, 0] == cells[:, 1]) / total, expected / total**2)


def _beyond_chance(observed: Array, expected: Array) -> Array:
    """Return the share reached of the agreement that chance leaves open."""
    return _divide(observed - expected, 1 - expected)


def _divide(part: Array, whole: Array) -> Array:
    """Divide, with NaN where the divisor is 0."""
    quotient: Array = np.divide(part, whole, out=np.full_like(part, np.nan), where=whole != 0)
    return quotient
