"""Agreement of the people who judged the pairs of a release."""

from annotation.stats.agreement import (
    VoteTable,
    distance_of,
    fleiss_kappa,
    human_agreement,
    krippendorff_alpha,
)
from annotation.stats.labels import Scheme
from releases.dataset.rows import ReleasedPair


def counts_for_agreement(pair: ReleasedPair, judgments_per_pair: int) -> bool:
    """Return whether the votes of a pair are final.

    A kept pair may have been decided early, with fewer judgments. One that is not kept and has
    fewer may still become either: its votes would count a disagreement that is not there yet.
    """
    return pair.kept or sum(pair.votes or ()) >= judgments_per_pair


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
