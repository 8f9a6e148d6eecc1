"""Five people judge each pair, each alone: claim, submit, undo (PAWS 4)."""

import uuid

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.errors import AlreadyAnswered, NotHeld, Refused
from annotation.models import Consensus, Judgment, Membership, SentencePair
from annotation.selectors import queue
from annotation.services import consensus, slots

PLACE = "judgment_place"


def claim(membership: Membership) -> Judgment | None:
    """The pair that the person is to judge now, as their slot of it; None when there is none."""
    if not (membership.may_judge and membership.project.is_open):
        return None
    return slots.claim(
        membership,
        unanswered=_unanswered(membership).select_related(
            "pair__sentence1__corpus", "pair__sentence2"
        ),
        eligible=lambda free: queue.open_to(membership, free),
        place_field=PLACE,
    )


@transaction.atomic
def submit(
    membership: Membership,
    *,
    pair_public_id: uuid.UUID,
    label: int,
    seconds: float | None = None,
) -> Judgment:
    """Store a judgment and, with the last one of a pair, its consensus.

    The same answer sent twice is stored once and gives the same reply. Raises NotHeld,
    AlreadyAnswered, or Refused for a label outside the project's scale.
    """
    if not 0 <= label <= membership.project.max_label:
        raise Refused("The label is not one of this project's scale.")
    pair = _locked(membership, pair_public_id)
    judgment = Judgment.objects.filter(pair=pair, annotator=membership.user_id).first()
    if judgment is None:
        raise NotHeld
    if judgment.label is not None:
        if judgment.label != label:
            raise AlreadyAnswered
        return judgment
    judgment.label, judgment.seconds = label, seconds
    judgment.submitted_at, judgment.lease_until = timezone.now(), None
    judgment.save(update_fields=["label", "seconds", "submitted_at", "lease_until"])
    consensus.decide_if_full(membership.project, pair)
    return judgment


@transaction.atomic
def undo(membership: Membership) -> Judgment | None:
    """Take the last judgment back and hold it again.

    Returns None when there is none, or when its pair is decided.
    """
    last = (
        Judgment.objects.filter(
            project=membership.project_id, annotator=membership.user_id, label__isnull=False
        )
        .order_by("-submitted_at", "-id")
        .first()
    )
    if last is None:
        return None
    SentencePair.objects.select_for_update().get(pk=last.pair_id)
    if Consensus.objects.filter(pair=last.pair_id).exists():
        return None
    slots.release(membership, _unanswered(membership), PLACE)
    last.label, last.seconds, last.submitted_at = None, None, None
    last.lease_until = slots.lease_end(membership, timezone.now())
    last.save(update_fields=["label", "seconds", "submitted_at", "lease_until"])
    return last


def _unanswered(membership: Membership) -> QuerySet[Judgment]:
    return Judgment.objects.filter(project=membership.project_id, label=None)


def _locked(membership: Membership, public_id: uuid.UUID) -> SentencePair:
    """The pair, locked: of its last two answers, sent at once, the second must see the first."""
    pair = (
        SentencePair.objects.select_for_update()
        .filter(public_id=public_id, project=membership.project_id)
        .first()
    )
    if pair is None:
        raise NotHeld
    return pair
