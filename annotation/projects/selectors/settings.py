"""Data for project settings: runs, and the sizes of sets."""

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Intake, Project, SentencePair
from generation import selectors
from generation.models import GenerationRun


def runs(project: Project) -> list[GenerationRun]:
    """Return the project's runs, with `sentences`, `sentences_done` and `has_entered`."""
    entered = Intake.objects.filter(project=project, batch__run=OuterRef("pk"))
    rows = project.runs.select_related("corpus").annotate(has_entered=Exists(entered))
    return list(selectors.of_runs(rows).order_by("-pk"))


def gold_runs() -> QuerySet[SentencePair, int | None]:
    """Return runs that contain gold pairs, which cannot enter a project as study pairs."""
    gold = SentencePair.objects.filter(gold_label__isnull=False)
    return gold.values_list("candidate__run", flat=True)


def sets(project: Project) -> dict[str, int]:
    """Count qualification pairs, gold pairs, and people who may be given work."""
    return {
        "qualification": project.qualification_pairs.count(),
        "gold": project.pairs.filter(gold_label__isnull=False).count(),
        "people": project.memberships.filter(duties__allowed=True).distinct().count(),
    }
