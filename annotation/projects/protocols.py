"""Named protocols, and the columns of a project that store one."""

from typing import TYPE_CHECKING

from annotation.stats.consensus import PAWS, Protocol

if TYPE_CHECKING:
    from annotation.models.projects import Project

# PARADE 4: three people give grades from 0 to 3, two must agree; 2 and 3 count as paraphrase.
PARADE = Protocol(annotators_per_pair=3, min_votes=2, max_label=3, paraphrase_from=2)
PROTOCOLS = {"paws": PAWS, "parade": PARADE}


def columns(protocol: Protocol) -> dict[str, int | bool]:
    """Return the columns of Project for a protocol."""
    return {
        "judgments_per_pair": protocol.annotators_per_pair,
        "consensus_min_votes": protocol.min_votes,
        "max_label": protocol.max_label,
        "paraphrase_from": protocol.paraphrase_from,
        "decides_early": protocol.decides_early,
    }


def of(project: "Project") -> Protocol:
    """Return the protocol of a project."""
    return Protocol(
        annotators_per_pair=project.judgments_per_pair,
        min_votes=project.consensus_min_votes,
        max_label=project.max_label,
        paraphrase_from=project.paraphrase_from,
        decides_early=project.decides_early,
    )
