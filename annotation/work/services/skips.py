"""Skips items: they return to the queue by the project's rule."""

import uuid

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import NotHeld, Refused
from annotation.models import Correction, Judgment, Membership, Project, Recusal, SentencePair, Skip
from annotation.work.queue_keys import KEYS_PER_PAIR
from annotation.work.services.queue import CORRECTION_PLACE, JUDGMENT_PLACE

Rule = Project.Skipping
# A slot that is returned to the queue.
RETURNED = {"annotator": None, "lease_until": None}


@transaction.atomic
def pair(membership: Membership, *, pair: uuid.UUID, reason: str, note: str = "") -> Skip:
    """Skip the pair that the person has in progress. Sent twice, it is stored once.

    A gold pair is never shown to this person again, under any rule. Raises NotHeld, or Refused if
    skipping is forbidden, the reason is unknown, or "other" has no note.
    """
    _look_at(membership, reason, note)
    item = _pair(membership, pair)
    mine = _locked_slot(membership, item)
    if mine is None:
        return _sent_before(membership.user.skips.filter(pair=item))
    if item.known_label is not None:
        mine.delete()
        _recuse(membership, item)
    else:
        _return_pair(membership, item, mine)
    return _stored(membership, reason, note, pair=item)


@transaction.atomic
def correction(
    membership: Membership, *, correction: uuid.UUID, reason: str, note: str = ""
) -> Skip:
    """Skip the candidate that the person has in progress; otherwise like `pair`."""
    _look_at(membership, reason, note)
    of_project = Correction.objects.filter(project=membership.project_id, public_id=correction)
    item = of_project.select_for_update(of=("self",)).first()
    if item is None:
        raise NotHeld
    if item.annotator_id != membership.user_id or item.action is not None:
        return _sent_before(membership.user.skips.filter(correction=item))
    _return_correction(membership, item)
    return _stored(membership, reason, note, correction=item)


def _look_at(membership: Membership, reason: str, note: str) -> None:
    longest = Skip._meta.get_field("note").max_length or 0
    if membership.project.skipping == Rule.FORBIDDEN:
        raise Refused(_("Nothing is skipped in this project."))
    if reason not in Skip.Reason.values:
        raise Refused(_("Choose a reason for skipping."))
    if reason == Skip.Reason.OTHER and not note.strip():
        raise Refused(_("Say in a few words why you skip this."))
    if len(note) > longest:
        raise Refused(_("The note is longer than %(most)d characters.") % {"most": longest})


def _pair(membership: Membership, public_id: uuid.UUID) -> SentencePair:
    of_project = SentencePair.objects.filter(project=membership.project_id, public_id=public_id)
    item = of_project.first()
    if item is None:
        raise NotHeld
    return item


def _locked_slot(membership: Membership, item: SentencePair) -> Judgment | None:
    """The person's open slot of the pair. All its slots are locked, in the order of a turn.

    A gold pair has an independent slot for each person, so only theirs is locked.
    """
    slots = item.judgments.order_by("slot").select_for_update()
    if item.known_label is not None:
        slots = slots.filter(annotator=membership.user_id)
    mine = [slot for slot in slots if slot.annotator_id == membership.user_id]
    return mine[0] if mine and mine[0].label is None else None


def _sent_before(skips: QuerySet[Skip]) -> Skip:
    earlier = skips.order_by("pk").last()
    if earlier is None:
        raise NotHeld
    return earlier


def _return_pair(membership: Membership, item: SentencePair, mine: Judgment) -> None:
    rule = membership.project.skipping
    Judgment.objects.filter(pk=mine.pk).update(**RETURNED, person=None, claimed_at=timezone.now())
    if rule == Rule.OTHERS:
        _recuse(membership, item)
    elif rule == Rule.NEVER:
        Judgment.objects.filter(pair=item, label=None).update(queue_key=None)
        SentencePair.objects.filter(pk=item.pk).update(set_aside_at=timezone.now())
    elif mine.queue_key is not None:
        in_depth = membership.project.order == Project.Order.DEPTH
        end = mine.queue_key | (KEYS_PER_PAIR - 1) if in_depth else mine.queue_key
        _walk_on(membership, JUDGMENT_PLACE, end)


def _return_correction(membership: Membership, item: Correction) -> None:
    rule = membership.project.skipping
    Correction.objects.filter(pk=item.pk).update(**RETURNED, claimed_at=timezone.now())
    if rule == Rule.NEVER:
        aside = {"queue_key": None, "set_aside_at": timezone.now()}
        Correction.objects.filter(pk=item.pk).update(**aside)
    elif rule == Rule.LATER and item.queue_key is not None:
        _walk_on(membership, CORRECTION_PLACE, item.queue_key)


def _recuse(membership: Membership, item: SentencePair) -> None:
    reason = Recusal.Reason.SKIPPED
    Recusal.objects.get_or_create(
        pair=item, annotator_id=membership.user_id, defaults={"reason": reason}
    )


def _walk_on(membership: Membership, place_field: str, place: int) -> None:
    """Move the person past the skipped item, so that everything else comes first."""
    Membership.objects.filter(pk=membership.pk).update(**{place_field: place})
    setattr(membership, place_field, place)


def _stored(
    membership: Membership, reason: str, note: str, **item: SentencePair | Correction
) -> Skip:
    return Skip.objects.create(
        project_id=membership.project_id,
        annotator_id=membership.user_id,
        reason=reason,
        note=note.strip(),
        **item,
    )
