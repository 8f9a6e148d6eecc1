"""Managers take a pair or a candidate out of the study, on record, and include it again."""

import uuid
from collections.abc import Collection, Iterator, Sequence

from django.db import transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Item, Judgment, PairExclusion, Project, SentencePair, Slot
from annotation.projects.services import projects
from annotation.work import queue
from generation.records import in_chunks

Reason = PairExclusion.Reason
ITEMS_AT_ONCE = 2000


def exclude(pair: Item, *, by: User, reason: str, note: str = "") -> PairExclusion:
    """Exclude one pair or candidate; see `exclude_all`."""
    [exclusion] = exclude_all([pair], by=by, reason=reason, note=note)
    return exclusion


@transaction.atomic
def exclude_all(
    items: Sequence[Item], *, by: User, reason: str, note: str = ""
) -> list[PairExclusion]:
    """Take items of a project out of the queue, the figures and later releases, all or none.

    Annotators who have one open get another. Answers, consensus and frozen releases stay as they
    are. Raises Refused if an item is excluded already, or the reason is not explained.
    """
    if reason not in Reason.values:
        raise Refused(_("Choose a reason for the exclusion."))
    if reason == Reason.OTHER and not note.strip():
        raise Refused(_("Describe briefly why you exclude it."))
    exclusions = []
    for locked in _locked_chunks(items):
        if any(item.excluded_by_id is not None for item in locked):
            raise Refused(_("The item is already excluded."))
        exclusions += PairExclusion.objects.bulk_create(
            PairExclusion(pair=item, by=by, reason=reason, note=note.strip()) for item in locked
        )
        keys = [item.pk for item in locked]
        in_force = PairExclusion.objects.filter(pair=OuterRef("pk"), ended_at=None).values("pk")
        Item.objects.filter(pk__in=keys).update(excluded_by=Subquery(in_force))
        _take_back(keys)
        audit.record_all(Act.PAIR_EXCLUDED, by=by, on=locked, reason=reason)
    return exclusions


def pairs_or_candidates(project: Project, public_ids: Collection[uuid.UUID]) -> list[Item]:
    """Return what to exclude or include for items: of a candidate that became a pair, the pair."""
    items = project.items.filter(public_id__in=public_ids, gold_label=None)
    pairs = Item.objects.filter(origin__item__in=items).select_related("duplicate_of", "origin")
    pair_by_item = {pair.origin.item_id: pair.duplicate_of or pair for pair in pairs if pair.origin}
    pairs_or_items = [pair_by_item.get(item.pk, item) for item in items]
    return list({item.pk: item for item in pairs_or_items}.values())


def include(pair: Item, *, by: User) -> None:
    """End the exclusion of one pair or candidate; see `include_all`."""
    include_all([pair], by=by)


@transaction.atomic
def include_all(items: Sequence[Item], *, by: User) -> None:
    """End the exclusions of items of a project, all or none.

    Their open slots enter the queue again, but those of items that are set aside. Raises Refused if
    an item is not excluded.
    """
    for locked in _locked_chunks(items):
        if any(item.excluded_by_id is None for item in locked):
            raise Refused(_("The item is not excluded."))
        exclusions = PairExclusion.objects.filter(pk__in=[item.excluded_by_id for item in locked])
        exclusions.update(ended_at=timezone.now(), ended_by=by)
        Item.objects.filter(pk__in=[item.pk for item in locked]).update(excluded_by=None)
        for item in locked:
            item.excluded_by = None
        waiting = [item for item in locked if item.set_aside_at is None and item.gold_label is None]
        queue.enter(items[0].project, waiting)
        audit.record_all(Act.PAIR_INCLUDED, by=by, on=locked)


def _locked_chunks(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Yield the items as they are now, in the order of their keys, ITEMS_AT_ONCE at a time.

    Locks the project, as a release does that is being planned, the slots, and the items.
    """
    if items:
        projects.lock(items[0].project)
    for keys in in_chunks(sorted(item.pk for item in items), ITEMS_AT_ONCE):
        slots = Slot.objects.filter(item__in=keys).order_by("item", "number")
        list(slots.select_for_update(of=("self",)).values_list("pk"))
        candidates = Item.objects.exclude(kind=Judgment.KIND)
        yield [
            item
            for rows in (candidates, SentencePair.objects.all())
            for item in rows.filter(pk__in=keys)
            .order_by("pk")
            .select_related("project")
            .select_for_update(of=("self",), no_key=True)
        ]


def _take_back(items: Sequence[int]) -> None:
    """Return open slots without a queue key; delete those of gold pairs, each one person's own."""
    open_slots = Slot.objects.unanswered().filter(item__in=items)
    open_slots.filter(item__gold_label__isnull=False).delete()
    queue.give_back(open_slots.filter(annotator__isnull=False))
    open_slots.update(queue_key=None)
