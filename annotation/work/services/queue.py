"""Adds slots to the queue, and moves people back who are already past them."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from annotation.models import Judgment, Membership, Project, SentencePair
from annotation.work import queue_keys

JUDGMENT_PLACE, CORRECTION_PLACE = "judgment_place", "correction_place"


def give_keys(
    project: Project,
    pair: SentencePair,
    unanswered: Sequence[Judgment],
    *,
    now: datetime,
    ahead: int = 0,
) -> list[Judgment]:
    """Set the queue keys of the slots of one pair that enter the queue now.

    `unanswered` are its open slots, in order. In depth, each slot without a key gets one; in
    breadth, only the first slot does, unless one has a key, and its answer adds the next (turns).
    `ahead` is the number of pairs that enter first at the same time. Returns the slots; the caller
    stores them.
    """
    if project.order == Project.Order.DEPTH:
        entering = [slot for slot in unanswered if slot.queue_key is None]
        for slot in entering:
            slot.queue_key = queue_keys.in_depth(pair.pk, slot.slot, priority=pair.priority)
        return entering
    if not unanswered or any(slot.queue_key is not None for slot in unanswered):
        return []
    key = queue_keys.in_breadth(now, pair.pk, ahead=ahead, priority=pair.priority)
    unanswered[0].queue_key = key
    return list(unanswered[:1])


@transaction.atomic
def enter(project: Project, pairs: Sequence[SentencePair]) -> None:
    """Add the open slots of pairs to the queue, and move people back who are past them."""
    unanswered: dict[int, list[Judgment]] = defaultdict(list)
    rows = Judgment.objects.select_for_update().filter(pair__in=pairs, label=None)
    for slot in rows.order_by("pair", "slot"):
        unanswered[slot.pair_id].append(slot)
    now = timezone.now()
    entering = [
        slot
        for ahead, pair in enumerate(pairs)
        for slot in give_keys(project, pair, unanswered[pair.pk], now=now, ahead=ahead)
    ]
    Judgment.objects.bulk_update(entering, ["queue_key"], batch_size=500)
    call_back(project, JUDGMENT_PLACE, [slot.queue_key for slot in entering])


def call_back(project: Project, place_field: str, keys: Sequence[int | None]) -> None:
    """Move everyone who is past the lowest of these keys back to just before it.

    Memberships are locked in key order after the slots, as in a turn.
    """
    lowest = min((key for key in keys if key is not None), default=None)
    if lowest is None:
        return
    beyond = Membership.objects.filter(project=project, **{f"{place_field}__gte": lowest})
    locked = list(beyond.order_by("pk").select_for_update().values_list("pk", flat=True))
    if locked:
        Membership.objects.filter(pk__in=locked).update(**{place_field: lowest - 1})
