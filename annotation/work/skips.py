"""Skip an item: it returns to the queue by the project's rule."""

import uuid

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import NotHeld, Refused
from annotation.models import Duty, Item, Project, Recusal, Skip, Slot
from annotation.work import gold, one_person, queue, tries

Rule = Project.Skipping
SKIPPED = Recusal.Reason.SKIPPED


@tries.repeated
def skip(duty: Duty, /, *, item: uuid.UUID, reason: str, note: str = "") -> Skip:
    """Skip the item that the person has in progress. Sent twice, it is stored once.

    A gold item comes back to this person only if skipped items do, and then at the end
    (gold.skipped). Raises NotHeld, or Refused if skipping is forbidden, the reason is unknown, or
    "other" has no note.
    """
    _check_reason(duty.membership.project, reason, note)
    one_person.hold_person(duty.membership.user)
    skipped_item = Item.objects.filter(
        project=duty.membership.project_id, kind=duty.kind, public_id=item
    ).first()
    if skipped_item is None:
        raise NotHeld
    slot = _locked_slot(duty, skipped_item)
    if slot is None:
        return _earlier_skip(duty, skipped_item)
    if skipped_item.gold_label is not None:
        slot.delete()
        _recuse(duty, skipped_item)
    else:
        _return_slot(duty, skipped_item, slot)
    return Skip.objects.create(
        project_id=skipped_item.project_id,
        annotator_id=duty.membership.user_id,
        item=skipped_item,
        reason=reason,
        note=note.strip(),
    )


def last_of(duty: Duty) -> Skip | None:
    """Return the person's last skip of this kind of work."""
    skips = Skip.objects.filter(
        annotator=duty.membership.user_id,
        project=duty.membership.project_id,
        item__kind=duty.kind,
    )
    return skips.select_related("item").order_by("-created_at", "-pk").first()


def take_back(duty: Duty, person: int, skip: Skip, *, barred: Q) -> Slot | None:
    """Undo a skip: delete it, and claim its item again for the person. Its slots are locked.

    Returns None if no slot of the item is free for them any more; undo the transaction then.
    """
    item = skip.item
    recusals = Recusal.objects.filter(annotator=duty.membership.user_id, reason=SKIPPED)
    recusals.filter(item=item).delete()
    is_latest = not item.skips.filter(pk__gt=skip.pk).exists()
    skip.delete()
    if item.gold_label is not None:
        return gold.create_slot(duty, person, item)
    if item.set_aside_at is not None and is_latest:
        item.set_aside_at = None
        item.save(update_fields=["set_aside_at"])
        queue.enter(duty.membership.project, [item])
        duty.refresh_from_db(fields=["place"])
    return queue.take_again(duty, person, item, barred=barred)


def _check_reason(project: Project, reason: str, note: str) -> None:
    longest = Skip._meta.get_field("note").max_length or 0
    if project.skipping == Rule.FORBIDDEN:
        raise Refused(_("Skipping is not allowed in this project."))
    if reason not in Skip.Reason.values:
        raise Refused(_("Choose a reason for skipping."))
    if reason == Skip.Reason.OTHER and not note.strip():
        raise Refused(_("Describe briefly why you are skipping this."))
    if len(note) > longest:
        raise Refused(
            _("The note is longer than %(most)d characters. Shorten it.") % {"most": longest}
        )


def _locked_slot(duty: Duty, item: Item) -> Slot | None:
    """The person's open slot of the item. All its slots are locked, in order of number.

    A gold item has an independent slot for each person, so only theirs is locked.
    """
    slots = item.slots.order_by("number").select_for_update()
    if item.gold_label is not None:
        slots = slots.filter(annotator=duty.membership.user_id)
    own_slots = [slot for slot in slots if slot.annotator_id == duty.membership.user_id]
    return own_slots[0] if own_slots and own_slots[0].submitted_at is None else None


def _earlier_skip(duty: Duty, item: Item) -> Skip:
    earlier = item.skips.filter(annotator=duty.membership.user_id).order_by("pk").last()
    if earlier is None:
        raise NotHeld
    return earlier


def _return_slot(duty: Duty, item: Item, slot: Slot) -> None:
    rule = duty.membership.project.skipping
    queue.give_back(Slot.objects.filter(pk=slot.pk))
    if rule == Rule.OTHERS:
        _recuse(duty, item)
    elif rule == Rule.NEVER:
        item.slots.unanswered().update(queue_key=None)
        Item.objects.filter(pk=item.pk).update(set_aside_at=timezone.now())
    else:
        queue.pass_by(duty, slot)


def _recuse(duty: Duty, item: Item) -> None:
    one_person.recuse([(item.pk, duty.membership.user_id)], SKIPPED)
