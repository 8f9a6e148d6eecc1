"""Five people judge each pair, each alone: claim, submit, undo (PAWS 4)."""

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
    """The pair that the person is to judge now, and how much they have done."""
    return turns.take(membership)


def answer(
    membership: Membership,
    *,
    pair: uuid.UUID,
    label: int,
    seconds: float | None = None,
    highlighted: bool | None = None,
) -> tuple[Turn, AnnotationError | None]:
    """`submit` and `turn` in one: the next pair, and why the answer was not stored, if it was not.

    One round to the database, which is what an annotator waits for a thousand times a day.
    """
    if refusal := _off_scale(membership, label):
        return turn(membership), refusal
    taken = turns.take(membership, Answer(pair, label, seconds, highlighted))
    return taken, _refusal(taken)


def claim(membership: Membership) -> Judgment | None:
    """The slot of the pair that the person is to judge now; None when there is none."""
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

    The same answer sent twice is stored once and gives the same reply. Raises NotHeld,
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
    """Take the last judgment back and hold it again.

    Returns None when there is none, when its pair is decided or was, before an answer was held out
    or others were asked anew, when it is held out itself, or when the person is given no work and
    could not answer it again.
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
    """Whether the answer is still open to change, which from here on cannot end: the slots of its
    pair are locked, in the order in which a turn locks them. A hidden pair is never decided."""
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
    """Release what the person holds. A hidden pair leaves no slot behind, and is due again as soon
    as the person has given as many answers as they have now."""
    unanswered = _unanswered(membership)
    hidden = unanswered.filter(annotator=membership.user_id, pair__known_label__isnull=False)
    if hidden.delete()[0]:
        membership.known_after = answers
        membership.save(update_fields=["known_after"])
    slots.release(membership, unanswered, queue.JUDGMENT_PLACE, person=None)
