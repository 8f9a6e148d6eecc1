"""Skip an item: it returns to the queue by the project's rule."""

import uuid

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import NotHeld, Refused
from annotation.models import Duty, Item, Project, Recusal, Skip, Slot
from annotation.work import gold, one_person, queue

Rule = Project.Skipping
SKIPPED = Recusal.Reason.SKIPPED


@transaction.atomic
def skip(duty: Duty, *, item: uuid.UUID, reason: str, note: str = "") -> Skip:
    """Skip the item that the person has in progress. Sent twice, it is stored once.

    A gold item comes back to this person only if skipped items do, and then at the end
    (gold.skipped). Raises NotHeld, or Refused if skipping is forbidden, the reason is unknown, or
    "other" has no note.
    """
    _check(duty.membership.project, reason, note)
    one_person.hold_person(duty.membership.user)
    found = Item.objects.filter(
        project=duty.membership.project_id, kind=duty.kind, public_id=item
    ).first()
    if found is None:
        raise NotHeld
    mine = _locked_slot(duty, found)
    if mine is None:
        return _earlier_skip(duty, found)
    if found.gold_label is not None:
        mine.delete()
        _recuse(duty, found)
    else:
        _return(duty, found, mine)
    return Skip.objects.create(
        project_id=found.project_id,
        annotator_id=duty.membership.user_id,
        item=found,
        reason=reason,
        note=note.strip(),
    )


def last_of(duty: Duty) -> Skip | None:
    """Return the person's last skip of this kind of work."""
    own = Skip.objects.filter(
        annotator=duty.membership.user_id,
        project=duty.membership.project_id,
        item__kind=duty.kind,
    )
    return own.select_related("item").order_by("-created_at", "-pk").first()


def take_back(duty: Duty, person: int, skip: Skip, *, barred: Q) -> Slot | None:
    """Undo a skip: delete it, and claim its item again for the person. Its slots are locked.

    Returns None if no slot of the item is free for them any more; undo the transaction then.
    """
    item = skip.item
    own = Recusal.objects.filter(annotator=duty.membership.user_id, reason=SKIPPED)
    own.filter(item=item).delete()
    is_latest = not item.skips.filter(pk__gt=skip.pk).exists()
    skip.delete()
    if item.gold_label is not None:
        return gold.give(duty, person, item)
    if item.set_aside_at is not None and is_latest:
        item.set_aside_at = None
        item.save(update_fields=["set_aside_at"])
        queue.enter(duty.membership.project, [item])
        duty.refresh_from_db(fields=["place"])
    return queue.take_again(duty, person, item, barred=barred)


def _check(project: Project, reason: str, note: str) -> None:
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
    mine = [slot for slot in slots if slot.annotator_id == duty.membership.user_id]
    return mine[0] if mine and mine[0].submitted_at is None else None


def _earlier_skip(duty: Duty, item: Item) -> Skip:
    earlier = item.skips.filter(annotator=duty.membership.user_id).order_by("pk").last()
    if earlier is None:
        raise NotHeld
    return earlier


def _return(duty: Duty, item: Item, mine: Slot) -> None:
    rule = duty.membership.project.skipping
    queue.give_back(Slot.objects.filter(pk=mine.pk))
    if rule == Rule.OTHERS:
        _recuse(duty, item)
    elif rule == Rule.NEVER:
        item.slots.unanswered().update(queue_key=None)
        Item.objects.filter(pk=item.pk).update(set_aside_at=timezone.now())
    else:
        queue.pass_by(duty, mine)


def _recuse(duty: Duty, item: Item) -> None:
    one_person.recuse([(item.pk, duty.membership.user_id)], SKIPPED)
