"""Finished batches that are not yet in the projects that adopted their run."""

from django.db.models import Exists, OuterRef, QuerySet

from annotation.models import Intake, Project
from generation.models import Batch


def projects() -> QuerySet[Project]:
    """Return projects that adopted a run."""
    return Project.objects.filter(runs__isnull=False).distinct()


def batches(project: Project) -> QuerySet[Batch]:
    """Return finished batches of the project's runs that it has not taken in, oldest first.

    Previews are left out until their run is approved.
    """
    taken_in = Intake.objects.filter(project=project, batch=OuterRef("pk"))
    return (
        Batch.objects.filter(
            ~Exists(taken_in), run__projects=project, run__preview=False, state=Batch.State.DONE
        )
        .select_related("run")
        .order_by("run", "number")
    )
