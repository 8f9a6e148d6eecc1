"""Add candidates to the projects that adopted their run, one finished batch at a time."""

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet, Value

from annotation.models import Correction, Intake, Item, Judgment, Project
from annotation.pairs.services.pairs import FinalText, open_pairs, originals
from annotation.projects import additions
from annotation.projects.services import projects
from annotation.work import queue
from common import bulk
from generation.models import OF_PAIRS, Batch, Candidate

# The fields of FinalText for a candidate without correction, but for the last, of the study.
FINAL = (
    "pk",
    "public_id",
    "sentence_id",
    "sentence__corpus_id",
    "sentence__group",
    "sentence__text",
    "text",
)


def take_in_all() -> int:
    """Take in every finished batch of every project; return the number of candidates."""
    # Archived projects take in what they missed once they are restored.
    adopted = Project.objects.filter(runs__isnull=False, archived_at=None).distinct()
    return sum(take_in(project) for project in adopted)


def take_in(project: Project) -> int:
    """Take in the finished batches of one project; return the number of candidates."""
    if additions.refusal(project):
        return 0
    return sum(_take_in_batch(project, batch) for batch in waiting_batches(project))


def waiting_batches(project: Project) -> QuerySet[Batch]:
    """Return finished batches of the project's runs that it has not taken in, oldest first.

    Previews are left out until their run is approved, and translations for good.
    """
    taken_in = Intake.objects.filter(project=project, batch=OuterRef("pk"))
    return (
        Batch.objects.filter(
            ~Exists(taken_in),
            run__projects=project,
            run__method__in=dict(OF_PAIRS),
            run__preview=False,
            state=Batch.State.DONE,
        )
        .select_related("run")
        .order_by("run_id", "number")  # "run" would order by the latest run first
    )


def candidates_waiting(project: Project) -> int:
    """Return how many candidates a worker has yet to add to the project."""
    number = Candidate.objects.filter(batch__in=waiting_batches(project).order_by()).count()
    return 0 if number and (project.archived_at or additions.refusal(project)) else number


def _take_in_batch(project: Project, batch: Batch) -> int:
    """Take in a batch once: its row in Intake is unique."""
    rows = batch.candidates.annotate(directed=Value(project.scheme.directed)).order_by("id")
    candidates = [FinalText(*row) for row in rows.values_list(*FINAL, "directed").iterator()]
    try:
        with transaction.atomic():
            Intake.objects.create(project=project, batch=batch)
            project = projects.with_protocol(project)
            if batch.run.method in project.corrected_methods:
                _queue_for_correction(project, candidates)
            else:
                open_pairs(project, candidates)
    except IntegrityError:
        if Intake.objects.filter(project=project, batch=batch).exists():
            return 0
        raise
    return len(candidates)


def _queue_for_correction(project: Project, candidates: list[FinalText]) -> None:
    items = bulk.keys(Item, len(candidates))
    firsts = originals(project, (Judgment.KIND, Correction.KIND), items, candidates)
    rows = (
        (item, candidate.candidate, candidate.key, original)
        for item, candidate, original in zip(items, candidates, firsts, strict=True)
    )
    fields = ("id", "candidate_id", "texts_key", "duplicate_of_id")
    bulk.insert(Item, rows, fields=fields, project_id=project.pk, kind=Correction.KIND)
    new = [item for item, original in zip(items, firsts, strict=True) if original is None]
    queue.open_slots(project, Correction.KIND, new)
