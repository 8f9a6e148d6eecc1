"""Agreement of the people who judged the pairs of a release."""

from collections.abc import Mapping

from annotation.stats.agreement import VoteTable, fleiss_kappa, human_agreement, krippendorff_alpha
from releases.dataset.rows import ReleasedPair


def counts_for_agreement(pair: ReleasedPair, judgments_per_pair: int) -> bool:
    """Return whether the votes of a pair are final.

    A kept pair may have been decided early, with fewer judgments. One that is not kept and has
    fewer may still become either: its votes would count a disagreement that is not there yet.
    """
    return pair.kept or sum(pair.votes or ()) >= judgments_per_pair


def agreement_measures(votes: VoteTable) -> dict[str, float | None]:
    """Return measures of agreement, rounded to be the same on every machine."""
    measures = {
        "human_agreement": human_agreement(votes),
        "fleiss_kappa": fleiss_kappa(votes).value,
        "krippendorff_alpha": krippendorff_alpha(votes).value,
    }
    return rounded(measures)


def rounded(measures: Mapping[str, float | None]) -> dict[str, float | None]:
    return {name: None if value is None else round(value, 6) for name, value in measures.items()}
