"""Setup progress of a project."""

from dataclasses import dataclass

from annotation.models import Invitation, Membership, Project
from generation.models import Sentence


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a study needs before work can start: whether each is there."""

    has_sentences: bool
    has_runs: bool
    has_candidates: bool
    has_people: bool
    has_invitations: bool


def of_project(project: Project) -> Beginning:
    """Check each in one query."""
    annotators = Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR)
    return Beginning(
        has_sentences=Sentence.objects.exists(),
        has_runs=project.runs.exists(),
        has_candidates=project.intakes.exists(),
        has_people=annotators.exists(),
        has_invitations=Invitation.objects.filter(project=project).exists(),
    )
