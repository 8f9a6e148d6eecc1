"""All agreement measures of a set of pairs, with their intervals."""

from collections.abc import Mapping
from dataclasses import dataclass

from annotation.stats.agreement import (
    VoteTable,
    fleiss_kappa,
    human_agreement,
    krippendorff_alpha,
    ordinal,
)
from annotation.stats.consensus import PAWS, Protocol
from annotation.stats.report import kept_votes
from annotation.stats.uncertainty import (
    Interval,
    alpha_interval,
    fleiss_interval,
    human_interval,
)

# Seed of the bootstrap: the same votes always give the same intervals.
SEED = 2019


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value and its 95% interval; None where undefined."""

    value: float | None
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Agreement between the judges of a number of pairs.

    `human` is the share of labels that equal the majority of their pair (PAWS, Table 3). The others
    are corrected for chance: Fleiss' kappa, and Krippendorff's alpha with nominal and ordinal
    distances. With two labels, both alphas are equal.
    """

    pairs: int
    human: Estimate
    fleiss: Estimate
    alpha: Estimate
    ordinal: Estimate


@dataclass(frozen=True, slots=True)
class Filtered:
    """Agreement on all pairs, and on those with enough agreeing votes."""

    before: Agreement
    after: Agreement


def of(votes: VoteTable, *, seed: int = SEED) -> Agreement:
    """Measure a table of votes.

    >>> of({(5, 0): 1, (1, 4): 1}).human.value
    0.9
    """
    return Agreement(
        pairs=sum(votes.values()),
        human=Estimate(human_agreement(votes), human_interval(votes, seed=seed)),
        fleiss=Estimate(_fleiss(votes), fleiss_interval(votes, seed=seed)),
        alpha=Estimate(krippendorff_alpha(votes), alpha_interval(votes, seed=seed)),
        ordinal=Estimate(
            krippendorff_alpha(votes, distance=ordinal),
            alpha_interval(votes, seed=seed, distance=ordinal),
        ),
    )


def filtered(votes: VoteTable, protocol: Protocol = PAWS, *, seed: int = SEED) -> Filtered:
    """Measure all pairs, and those that the filter keeps (PAWS 4, "After post-filtering")."""
    return Filtered(of(votes, seed=seed), of(kept_votes(votes, protocol), seed=seed))


def _fleiss(votes: Mapping[tuple[int, ...], int]) -> float | None:
    """Return Fleiss' kappa; None if pairs differ in their number of judgments."""
    numbers = {sum(tally) for tally, pairs in votes.items() if pairs and sum(tally) > 1}
    return fleiss_kappa(votes) if len(numbers) == 1 else None
