"""Blind correction of candidates: claim, submit, undo (PAWS 4)."""

import uuid
from functools import partial

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import AlreadyAnswered, NotHeld, NotStorable, Refused
from annotation.models import Correction, Judgment, Membership, Project, SentencePair, Skip
from annotation.pairs.services import pairs
from annotation.projects.selectors import progress
from annotation.work.services import queue, slots
from generation.nlp.text import RefusedText, check

ANSWER = ["action", "text", "seconds", "submitted_at", "lease_until", "number"]
MAX_CHARACTERS = 5000
Action = Correction.Action


def claim(membership: Membership) -> Correction | None:
    """Return the next candidate for the person to correct; None if there is none."""
    if not (membership.may_correct and membership.is_given_work) or _has_reached_limit(membership):
        return None
    return slots.claim(
        membership,
        unanswered=_unanswered(membership).select_related("candidate__run__corpus"),
        eligible=partial(_not_skipped, membership),
        place_field=queue.CORRECTION_PLACE,
    )


@transaction.atomic
def submit(
    membership: Membership,
    *,
    public_id: uuid.UUID,
    action: str,
    text: str = "",
    seconds: float | None = None,
) -> Correction:
    """Store a correction, and open the pair of an accepted or fixed sentence for judgment.

    Submitting the same answer twice stores it once and returns the same result. A fix that changes
    nothing is stored as accept. Raises NotHeld, AlreadyAnswered, or Refused for an unknown action
    or an invalid text.
    """
    correction = _locked(membership, public_id)
    action, text = _answer(correction, action, text)
    if correction.action is not None:
        if (correction.action, correction.text) != (action, text):
            raise AlreadyAnswered
        return correction
    correction.action, correction.text, correction.seconds = action, text, seconds
    correction.submitted_at, correction.lease_until = timezone.now(), None
    correction.number = progress.corrections_of(membership).total + 1
    correction.save(update_fields=ANSWER)
    if action != Action.REJECT:
        final = pairs.FinalText.of(
            correction.candidate, text or correction.candidate.text, correction
        )
        pairs.open_pairs(membership.project, [final])
    return correction


@transaction.atomic
def undo(membership: Membership) -> Correction | None:
    """Undo the person's last correction and return it, claimed again.

    Returns None if there is no correction, if a slot of its pair is in progress or answered, or if
    the person is not given work.
    """
    last = (
        Correction.objects.select_for_update(of=("self",))
        .filter(project=membership.project_id, annotator=membership.user_id, action__isnull=False)
        .order_by("-submitted_at", "-id")
        .first()
    )
    if last is None or not membership.is_given_work or not _withdraw_pair(last):
        return None
    slots.release(membership, _unanswered(membership), queue.CORRECTION_PLACE)
    last.action, last.text, last.seconds, last.submitted_at = None, "", None, None
    last.number = None
    last.lease_until = slots.lease_end(membership, timezone.now())
    last.save(update_fields=ANSWER)
    return last


def _unanswered(membership: Membership) -> QuerySet[Correction]:
    return Correction.objects.filter(project=membership.project_id, action=None)


def _has_reached_limit(membership: Membership) -> bool:
    most = membership.project.most_corrections
    return most is not None and progress.corrections_of(membership).total >= most


def _not_skipped(membership: Membership, free: QuerySet[Correction]) -> QuerySet[Correction]:
    """Exclude items that the person skipped, unless the project shows these again."""
    if membership.project.skipping == Project.Skipping.LATER:
        return free
    skipped = Skip.objects.filter(correction=OuterRef("pk"), annotator=membership.user_id)
    return free.filter(~Exists(skipped))


def _locked(membership: Membership, public_id: uuid.UUID) -> Correction:
    correction = (
        Correction.objects.select_for_update(of=("self",))
        .select_related("candidate__sentence")
        .filter(public_id=public_id, project=membership.project_id, annotator=membership.user_id)
        .first()
    )
    if correction is None:
        raise NotHeld
    return correction


def _answer(correction: Correction, action: str, text: str) -> tuple[str, str]:
    """The action and text as stored. Raises Refused."""
    if action not in Action.values:
        raise Refused(_("Accept, fix or reject the sentence."))
    if action != Action.FIX:
        return action, ""
    try:
        fixed = check(text, max_characters=MAX_CHARACTERS)
    except RefusedText as refusal:
        raise NotStorable(refusal.reason) from refusal
    return (Action.ACCEPT, "") if fixed == correction.candidate.text else (Action.FIX, fixed)


def _withdraw_pair(correction: Correction) -> bool:
    """Delete the pair unless a slot is taken. Locks its slots first, in the order of a turn."""
    of_pair = Judgment.objects.select_for_update(of=("self",)).filter(pair__correction=correction)
    if any(judgment.annotator_id is not None for judgment in of_pair.order_by("slot")):
        return False
    pair = SentencePair.objects.select_for_update().filter(correction=correction).first()
    if pair is not None:
        pair.judgments.all().delete()
        pair.delete()
        pair.sentence2.delete()
    return True
