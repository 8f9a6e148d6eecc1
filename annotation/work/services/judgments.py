"""Independent judgments of pairs, five for each by default: claim, submit, undo (PAWS 4)."""

import uuid

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import AlreadyAnswered, AnnotationError, NotHeld, Refused
from annotation.models import Consensus, Judgment, Membership
from annotation.quality.selectors import exclusion
from annotation.work.services import queue, slots, turns
from annotation.work.services.turns import Answer, Stands, Turn


def turn(membership: Membership) -> Turn:
    """Return the next pair for the person, and how many answers they have given."""
    return turns.take(membership)


def answer(
    membership: Membership,
    *,
    pair: uuid.UUID,
    label: int,
    seconds: float | None = None,
    highlighted: bool | None = None,
) -> tuple[Turn, AnnotationError | None]:
    """Submit an answer and return the next turn, with the error if it was not stored.

    Uses one database round trip where possible: annotators wait for it after every answer.
    """
    if refusal := _off_scale(membership, label):
        return turn(membership), refusal
    taken = turns.take(membership, Answer(pair, label, seconds, highlighted))
    return taken, _refusal(taken)


def claim(membership: Membership) -> Judgment | None:
    """Return the person's slot of the next pair to judge; None if there is none."""
    held = turn(membership).held
    if held is None:
        return None
    rows = Judgment.objects.select_related("pair__sentence1__corpus", "pair__sentence2")
    return rows.get(pk=held.slot)


def submit(
    membership: Membership,
    *,
    pair_public_id: uuid.UUID,
    label: int,
    seconds: float | None = None,
) -> Judgment:
    """Store a judgment and, with the last one of a pair, its consensus.

    Submitting the same answer twice stores it once and returns the same result. Raises NotHeld,
    AlreadyAnswered, or Refused for a label outside the project's scale.
    """
    if off_scale := _off_scale(membership, label):
        raise off_scale
    taken = turns.take(membership, Answer(pair_public_id, label, seconds), claims=False)
    if refusal := _refusal(taken):
        raise refusal
    rows = Judgment.objects.select_related("pair")
    return rows.get(pair__public_id=pair_public_id, annotator=membership.user_id)


@transaction.atomic
def undo(membership: Membership) -> Judgment | None:
    """Undo the person's last judgment and return its slot, claimed again.

    Returns None if there is no judgment, its pair is decided or was decided before an exclusion or
    reopening, the judgment is excluded, or the person is not given work.
    """
    last = (
        Judgment.objects.filter(
            project=membership.project_id, annotator=membership.user_id, label__isnull=False
        )
        .order_by("-submitted_at", "-id")
        .first()
    )
    if last is None or not membership.is_given_work or not _can_be_undone(last):
        return None
    _give_back(membership, answers=last.number)
    last.label, last.seconds, last.highlighted = None, None, None
    last.submitted_at, last.number = None, None
    last.lease_until = slots.lease_end(membership, timezone.now())
    last.save(
        update_fields=["label", "seconds", "highlighted", "submitted_at", "number", "lease_until"]
    )
    return last


def _off_scale(membership: Membership, label: int) -> Refused | None:
    if 0 <= label <= membership.project.max_label:
        return None
    return Refused(_("The label is not one of this project’s scale."))


def _refusal(taken: Turn) -> AnnotationError | None:
    errors = {Stands.NOT_HELD: NotHeld, Stands.DIFFERS: AlreadyAnswered}
    error = errors.get(taken.stands) if taken.stands else None
    return error() if error else None


def _unanswered(membership: Membership) -> QuerySet[Judgment]:
    return Judgment.objects.filter(project=membership.project_id, label=None)


def _can_be_undone(judgment: Judgment) -> bool:
    """Whether the answer can still be changed. Locks its pair's slots in the order of a turn."""
    of_pair = Judgment.objects.filter(pair=judgment.pair_id).order_by("slot")
    if judgment.pair.known_label is not None:
        of_pair = of_pair.filter(pk=judgment.pk)
    list(of_pair.select_for_update())
    judgment.refresh_from_db(fields=["held_out", "label", "superseded_by"])
    is_decided = Consensus.objects.filter(pair=judgment.pair_id).exists()
    if judgment.label is None or judgment.held_out_id is not None or is_decided:
        return False
    return judgment.superseded_by_id is None and not exclusion.is_fixed(judgment)


def _give_back(membership: Membership, *, answers: int | None) -> None:
    """Release the slot in progress; a gold slot is deleted, and one is due after `answers`."""
    unanswered = _unanswered(membership)
    hidden = unanswered.filter(annotator=membership.user_id, pair__known_label__isnull=False)
    if hidden.delete()[0]:
        membership.known_after = answers
        membership.save(update_fields=["known_after"])
    slots.release(membership, unanswered, queue.JUDGMENT_PLACE, person=None)
