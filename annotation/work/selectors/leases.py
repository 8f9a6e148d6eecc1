"""Who holds which item, since when and until when."""

from datetime import datetime

from django.db.models import QuerySet

from annotation.models import Correction, Judgment, Project
from annotation.models.slots import Slot

# As many as have one item of each sort open at once; nobody holds two.
MOST = 1000


def judgments(project: Project) -> list[Judgment]:
    """Open slots of pairs that somebody holds, the oldest first. Found by the index of what is
    held: the cost is that of the people at work."""
    held = _held(Judgment.objects.filter(project=project, label=None))
    return list(held.select_related("pair__sentence1__corpus", "pair__sentence2")[:MOST])


def corrections(project: Project) -> list[Correction]:
    """The same of candidates."""
    held = _held(Correction.objects.filter(project=project, action=None))
    return list(held.select_related("candidate__run__corpus")[:MOST])


def has_run_out(slot: Slot, now: datetime) -> bool:
    """Whether whoever asks next may be given the item."""
    return slot.lease_until is not None and slot.lease_until < now


def _held(unanswered: QuerySet) -> QuerySet:  # type: ignore[type-arg]
    return (
        unanswered.filter(annotator__isnull=False)
        .select_related("annotator")
        .order_by("claimed_at", "pk")
    )
