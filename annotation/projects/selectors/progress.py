"""The progress of a project, counted from rows and never stored."""

from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Correction, Project
from annotation.projects.selectors import study_rows
from generation.models import Candidate


@dataclass(frozen=True, slots=True)
class ProjectProgress:
    """The funnel of a project, from candidates to kept pairs."""

    candidates: int
    accepted: int
    fixed: int
    rejected: int
    to_correct: int
    pairs: int
    judgments: int
    to_judge: int
    decided: int
    kept: int


def of_project(project: Project) -> ProjectProgress:
    """Count a project's rows at each step."""
    corrections = Correction.objects.filter(project=project)
    decided = study_rows.decided(project)
    return ProjectProgress(
        candidates=Candidate.objects.filter(batch__intakes__project=project).count(),
        **corrections.aggregate(
            accepted=Count("id", filter=Q(action=Correction.Action.ACCEPT)),
            fixed=Count("id", filter=Q(action=Correction.Action.FIX)),
            rejected=Count("id", filter=Q(action=Correction.Action.REJECT)),
            to_correct=Count("id", filter=Q(submitted_at=None)),
        ),
        pairs=study_rows.pairs(project).count(),
        judgments=study_rows.counted(project).count(),
        to_judge=study_rows.slots(project).unanswered().count(),
        **decided.aggregate(decided=Count("pk"), kept=Count("pk", filter=Q(kept=True))),
    )
