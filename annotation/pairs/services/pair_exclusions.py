"""Managers take a pair or a candidate out of the study, on record, and include it again."""

import uuid
from collections.abc import Collection, Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Item, Judgment, PairExclusion, Project, SentencePair, Slot
from annotation.projects.services import projects
from annotation.work import queue

Reason = PairExclusion.Reason


@transaction.atomic
def exclude(pair: Item, *, by: User, reason: str, note: str = "") -> PairExclusion:
    """Take a pair out of the queue, the figures and later releases.

    An annotator who has it open gets another pair. Answers, consensus and frozen releases stay
    as they are.
    Raises Refused if the pair is excluded already, or the reason is not explained.
    """
    if reason not in Reason.values:
        raise Refused(_("Choose a reason for the exclusion."))
    if reason == Reason.OTHER and not note.strip():
        raise Refused(_("Describe briefly why you exclude it."))
    locked = _lock_pair(pair)
    if locked.excluded_by_id is not None:
        raise Refused(_("The item is already excluded."))
    exclusion = PairExclusion.objects.create(pair=locked, by=by, reason=reason, note=note.strip())
    Item.objects.filter(pk=locked.pk).update(excluded_by=exclusion)
    _take_back(locked)
    audit.record(Act.PAIR_EXCLUDED, by=by, on=locked, reason=reason)
    return exclusion


@transaction.atomic
def exclude_all(
    pairs: Iterable[Item], *, by: User, reason: str, note: str = ""
) -> list[PairExclusion]:
    """Exclude several pairs and candidates, all or none, in the order of their keys."""
    ordered = sorted(pairs, key=lambda pair: pair.pk)
    return [exclude(pair, by=by, reason=reason, note=note) for pair in ordered]


@transaction.atomic
def include_all(pairs: Iterable[Item], *, by: User) -> None:
    """End several exclusions, all or none, in the order of their keys."""
    for pair in sorted(pairs, key=lambda pair: pair.pk):
        include(pair, by=by)


def pairs_or_candidates(project: Project, public_ids: Collection[uuid.UUID]) -> list[Item]:
    """Return what to exclude or include for items: of a candidate that became a pair, the pair."""
    items = project.items.filter(public_id__in=public_ids, gold_label=None)
    pairs = Item.objects.filter(origin__item__in=items).select_related("duplicate_of", "origin")
    pair_by_item = {pair.origin.item_id: pair.duplicate_of or pair for pair in pairs if pair.origin}
    pairs_or_items = [pair_by_item.get(item.pk, item) for item in items]
    return list({item.pk: item for item in pairs_or_items}.values())


@transaction.atomic
def include(pair: Item, *, by: User) -> None:
    """End the exclusion of a pair; its open slots enter the queue again, unless it is set aside.

    Raises Refused if the pair is not excluded.
    """
    locked = _lock_pair(pair)
    if locked.excluded_by_id is None:
        raise Refused(_("The item is not excluded."))
    exclusion = PairExclusion.objects.filter(pk=locked.excluded_by_id)
    exclusion.update(ended_at=timezone.now(), ended_by=by)
    Item.objects.filter(pk=locked.pk).update(excluded_by=None)
    locked.excluded_by = None
    if locked.set_aside_at is None and locked.gold_label is None:
        queue.enter(locked.project, [locked])
    audit.record(Act.PAIR_INCLUDED, by=by, on=locked)


def _lock_pair(pair: Item) -> Item:
    """Lock the project, as a release does that is being planned, the slots, and the pair."""
    projects.lock(pair.project)
    list(pair.slots.order_by("number").select_for_update(of=("self",)).values_list("pk"))
    model = SentencePair if pair.kind == Judgment.KIND else Item
    rows = model.objects.select_related("project")
    return rows.select_for_update(of=("self",), no_key=True).get(pk=pair.pk)


def _take_back(pair: Item) -> None:
    """Return open slots without a queue key; delete those of a gold pair, each one person's own."""
    open_slots = Slot.objects.unanswered().filter(item=pair)
    if pair.gold_label is not None:
        open_slots.delete()
        return
    queue.give_back(open_slots.filter(annotator__isnull=False))
    open_slots.update(queue_key=None)
