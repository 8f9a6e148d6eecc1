"""All agreement measures of a set of pairs, with their intervals."""

from dataclasses import dataclass

from annotation.stats.agreement import (
    SEED,
    Estimate,
    VoteTable,
    fleiss_kappa,
    human,
    krippendorff_alpha,
    ordinal,
)
from annotation.stats.consensus import PAWS, Protocol
from annotation.stats.report import kept_votes


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
        human=human(votes, seed=seed),
        fleiss=fleiss_kappa(votes, seed=seed),
        alpha=krippendorff_alpha(votes, seed=seed),
        ordinal=krippendorff_alpha(votes, distance=ordinal, seed=seed),
    )


def filtered(votes: VoteTable, protocol: Protocol = PAWS, *, seed: int = SEED) -> Filtered:
    """Measure all pairs, and those that the filter keeps (PAWS 4, "After post-filtering")."""
    return Filtered(of(votes, seed=seed), of(kept_votes(votes, protocol), seed=seed))
