"""The progress of a project, counted from rows and never stored; and its sets."""

from django.db.models import Count, Q
from django.utils.functional import Promise

from annotation.models import Correction, Project, Slot
from annotation.projects.selectors import study_rows
from annotation.work.contract import Kind
from generation.models import Candidate


def of_project(project: Project) -> dict[str, int]:
    """Count a project's rows at each step from candidates to kept pairs."""
    corrections = Correction.objects.filter(project=project)
    decided = study_rows.consensus_rows(project)
    return {
        "candidates": Candidate.objects.filter(batch__intakes__project=project).count(),
        **corrections.aggregate(
            accepted=Count("id", filter=Q(action=Correction.Action.ACCEPT)),
            fixed=Count("id", filter=Q(action=Correction.Action.FIX)),
            rejected=Count("id", filter=Q(action=Correction.Action.REJECT)),
        ),
        "to_correct": corrections.unanswered().of_study_pairs().count(),
        "pairs": study_rows.pairs(project).count(),
        "excluded": study_rows.excluded_pairs(project).count(),
        "judgments": study_rows.counted_judgments(project).count(),
        "to_judge": study_rows.slots(project).unanswered().count(),
        **decided.aggregate(decided=Count("pk"), kept=Count("pk", filter=Q(kept=True))),
    }


def by_answer(project: Project, kind: Kind) -> list[tuple[str, str | Promise, int]]:
    """Count the slots of a kind of work that wait and those with each answer, with their names."""
    states = {name: kind.states()[name] for name in ("waiting", *kind.outcomes)}
    counts = {name: Count("pk", filter=condition) for name, (_label, condition) in states.items()}
    numbers = Slot.objects.filter(project=project, kind=kind.name).aggregate(**counts)
    return [(name, label, numbers[name]) for name, (label, _condition) in states.items()]


def set_sizes(project: Project) -> dict[str, int]:
    """Count qualification pairs, gold pairs, and people who may be given work."""
    return {
        "qualification": project.qualification_pairs.count(),
        "gold": project.pairs.filter(gold_label__isnull=False).count(),
        "people": project.memberships.filter(duties__allowed=True).distinct().count(),
    }
