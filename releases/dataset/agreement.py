"""Agreement of the people who judged the pairs of a release."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.stats.agreement import (
    LongerTally,
    Tally,
    VoteTable,
    as_key,
    distance_of,
    fleiss_kappa,
    human_agreement,
    krippendorff_alpha,
)
from annotation.stats.labels import Scheme
from releases.dataset.rows import ReleasedPair

# Where a manifest has the votes of pairs about which more people than the first were asked.
LONGER = "first_votes"


def counts_for_agreement(pair: ReleasedPair, judgments_per_pair: int) -> bool:
    """Return whether the votes of a pair are final.

    A kept pair may have been decided early, with fewer judgments. One that is not kept and has
    fewer may still become either: its votes would count a disagreement that is not there yet.
    """
    return pair.kept or sum(pair.votes or ()) >= judgments_per_pair


def key_of_pair(pair: ReleasedPair, votes: Tally, scheme: Scheme) -> Tally:
    """Return the key of a pair in a table of votes, which are by outcome or by label."""
    if pair.first is None:
        return votes
    return as_key(votes, scheme.votes(pair.first) if len(votes) < scheme.size else pair.first)


def rows_of_all(votes: VoteTable) -> list[list[int]]:
    """Return a table for a manifest: rows of all votes and the number of pairs."""
    table = Counter[Tally]()
    for tally, pairs in votes.items():
        table[tuple(tally)] += pairs
    return [[*tally, pairs] for tally, pairs in sorted(table.items())]


def rows_of_longer(votes: VoteTable) -> list[list[int]]:
    """Return rows of the pairs about which more people were asked.

    Each has the votes of the first, then all votes, then the number of pairs.
    """
    longer = [
        [*tally.first, *tally, pairs]
        for tally, pairs in votes.items()
        if isinstance(tally, LongerTally)
    ]
    return sorted(longer)


def read_votes(
    rows: Sequence[Sequence[int]], longer: Sequence[Sequence[int]] = ()
) -> dict[Tally, int]:
    """Return the table that `rows_of_all` and `rows_of_longer` wrote."""
    table = Counter({tuple(tally): pairs for *tally, pairs in rows})
    for *tallies, pairs in longer:
        first, tally = tallies[: len(tallies) // 2], tuple(tallies[len(tallies) // 2 :])
        table[tally] -= pairs
        table[LongerTally(tally, first)] += pairs
    return {tally: pairs for tally, pairs in table.items() if pairs}


def longer_by_method(votes_by_method: Mapping[str, VoteTable]) -> dict[str, Any]:
    """Return `rows_of_longer` of the methods that have any."""
    rows = {method: rows_of_longer(votes) for method, votes in sorted(votes_by_method.items())}
    return {method: longer for method, longer in rows.items() if longer}


def agreement_measures(votes: VoteTable, scheme: Scheme) -> dict[str, float | None]:
    """Return measures of agreement on labels, rounded to be the same on every machine.

    Alpha is there twice where labels are ordered: nominal, and with the distances of their level.
    """
    measures = {
        "human_agreement": human_agreement(votes),
        "fleiss_kappa": fleiss_kappa(votes).value,
        "krippendorff_alpha": krippendorff_alpha(votes).value,
    }
    if scheme.is_ordered:
        alpha = krippendorff_alpha(votes, distance=distance_of(scheme))
        measures[f"{scheme.level}_alpha"] = alpha.value
    return {name: None if value is None else round(value, 6) for name, value in measures.items()}
