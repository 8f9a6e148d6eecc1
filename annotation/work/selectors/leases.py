"""Items in progress, with their annotator and lease."""

from datetime import datetime

from django.db.models import QuerySet

from annotation.models import Correction, Judgment, Project
from annotation.models.slots import Slot

# Limit per kind of item; each person has at most one in progress.
MOST = 1000


def judgments(project: Project) -> list[Judgment]:
    """Return slots in progress, oldest first, at most MOST, from the index of claimed slots."""
    held = _held(Judgment.objects.filter(project=project, label=None))
    return list(held.select_related("pair__sentence1__corpus", "pair__sentence2")[:MOST])


def corrections(project: Project) -> list[Correction]:
    """Return candidates in progress, oldest first, at most MOST."""
    held = _held(Correction.objects.filter(project=project, action=None))
    return list(held.select_related("candidate__run__corpus")[:MOST])


def has_run_out(slot: Slot, now: datetime) -> bool:
    """Whether the lease has ended, so that others may claim the item."""
    return slot.lease_until is not None and slot.lease_until < now


def _held(unanswered: QuerySet) -> QuerySet:  # type: ignore[type-arg]
    return (
        unanswered.filter(annotator__isnull=False)
        .select_related("annotator")
        .order_by("claimed_at", "pk")
    )
