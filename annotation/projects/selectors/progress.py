"""The progress of a person and of a project, counted from rows and never stored."""

from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet
from django.utils import timezone

from annotation.models import Correction, Judgment, Membership, Project
from annotation.projects.selectors import study_rows
from generation.models import Candidate


@dataclass(frozen=True, slots=True)
class Tally:
    """A person's answers of one type: all of them, and those since midnight."""

    total: int
    today: int


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


def corrections_of(membership: Membership) -> Tally:
    """Count the corrections of a person in a project."""
    return _tally(Correction.objects.filter(action__isnull=False), membership)


def judgments_of(membership: Membership) -> Tally:
    """Count the judgments of a person in a project."""
    return _tally(Judgment.objects.filter(label__isnull=False), membership)


def _tally(answers: QuerySet[Correction] | QuerySet[Judgment], membership: Membership) -> Tally:
    """Use the numbers of two answers: the last, and the last before today."""
    own = answers.filter(
        annotator=membership.user_id, project=membership.project_id, submitted_at__isnull=False
    ).order_by("-submitted_at")
    midnight = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    total = own.values_list("number", flat=True).first() or 0
    before = own.filter(submitted_at__lt=midnight).values_list("number", flat=True).first() or 0
    return Tally(total=total, today=total - before)


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
            to_correct=Count("id", filter=Q(action=None)),
        ),
        pairs=study_rows.pairs(project).count(),
        judgments=study_rows.counted(project).count(),
        to_judge=study_rows.slots(project).filter(label=None).count(),
        **decided.aggregate(decided=Count("pk"), kept=Count("pk", filter=Q(kept=True))),
    )
