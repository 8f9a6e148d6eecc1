"""Into a queue: slots get their keys, and people who are beyond those come back to them."""

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
    """Give keys to the slots that enter the queue now, of all unanswered ones of a pair in order.

    Depth: to all that have none. Breadth: to the first, unless one of them has a key already; the
    answer to it brings in the next (turns). `ahead` counts pairs that enter at the same moment and
    before this one. Returns the slots that have got a key; the caller stores them.
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
    """Let the unanswered slots of pairs stand in the queue, those that do not yet: pairs that were
    set aside and are put back, or slots that were added. Whoever is beyond them comes back."""
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
    """Let everybody who is beyond a key that has just been given come to it yet.

    Their places are locked in one order, after the slots, as a turn does it.
    """
    lowest = min((key for key in keys if key is not None), default=None)
    if lowest is None:
        return
    beyond = Membership.objects.filter(project=project, **{f"{place_field}__gte": lowest})
    locked = list(beyond.order_by("pk").select_for_update().values_list("pk", flat=True))
    if locked:
        Membership.objects.filter(pk__in=locked).update(**{place_field: lowest - 1})
