"""Blind repair of candidates: claim one, answer it, take the answer back (PAWS 4)."""

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
    """The candidate that the person is to correct now; None when there is none for them."""
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
    """Store a correction and open the pair of an accepted or fixed sentence for judgment.

    The same answer sent twice is stored once and gives the same reply. A fix that changes nothing
    is an accept. Raises NotHeld, AlreadyAnswered, or Refused for an unknown action or a bad text.
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
    """Take the last correction back and hold it again.

    Returns None when there is none, when somebody has been shown the pair made of it, or when the
    person is given no work and so could not answer it again.
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
    """Those that the person has not passed over, unless such items come back to them."""
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
    """The action and text as they are stored."""
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
    """Remove the pair made of a correction, unless anybody holds or has answered a slot of it.

    Its slots are locked before itself, as the last judgment of a pair locks them."""
    of_pair = Judgment.objects.select_for_update(of=("self",)).filter(pair__correction=correction)
    if any(judgment.annotator_id is not None for judgment in of_pair.order_by("slot")):
        return False
    pair = SentencePair.objects.select_for_update().filter(correction=correction).first()
    if pair is not None:
        pair.judgments.all().delete()
        pair.delete()
        pair.sentence2.delete()
    return True
