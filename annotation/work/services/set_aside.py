"""Returns items to the queue that a skip has set aside for everyone."""

import uuid
from collections.abc import Collection, Sequence

from django.db import transaction
from django.utils import timezone

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.models import Correction, Judgment, Project, SentencePair
from annotation.work import queue_keys
from annotation.work.services import queue


@transaction.atomic
def put_pairs_back(
    project: Project, public_ids: Collection[uuid.UUID], *, by: User | None = None
) -> int:
    """Return pairs that were set aside to the queue, by public id.

    Returns how many there were. Other pairs do not change.
    """
    aside = SentencePair.objects.filter(
        project=project, public_id__in=public_ids, set_aside_at__isnull=False
    )
    # Same lock order as a turn: slots before pairs.
    slots = Judgment.objects.filter(pair__in=aside.values("pk")).order_by("pair", "slot")
    list(slots.select_for_update(of=("self",)).values_list("pk"))
    found = list(aside.order_by("pk").select_for_update(no_key=True))
    SentencePair.objects.filter(pk__in=[pair.pk for pair in found]).update(set_aside_at=None)
    queue.enter(project, found)
    _record(project, found, by)
    return len(found)


@transaction.atomic
def put_corrections_back(
    project: Project, public_ids: Collection[uuid.UUID], *, by: User | None = None
) -> int:
    """Return candidates that were set aside to the queue; otherwise like `put_pairs_back`."""
    aside = Correction.objects.filter(
        project=project, public_id__in=public_ids, set_aside_at__isnull=False
    )
    found = list(aside.order_by("pk").select_for_update(of=("self",)))
    for correction in found:
        correction.set_aside_at, correction.claimed_at = None, timezone.now()
        correction.queue_key = queue_keys.of_candidate(
            correction.candidate_id, priority=correction.priority
        )
    Correction.objects.bulk_update(
        found, ["set_aside_at", "claimed_at", "queue_key"], batch_size=500
    )
    keys = [correction.queue_key for correction in found]
    queue.call_back(project, queue.CORRECTION_PLACE, keys)
    _record(project, found, by)
    return len(found)


def _record(
    project: Project, found: Sequence[SentencePair] | Sequence[Correction], by: User | None
) -> None:
    """Write one audit record per item; managers return one item or one page of them."""
    for item in found:
        audit.record(Act.PUT_BACK, by=by, on=item, project=project)
