"""Work that waits for a person, at a cost that does not grow with the project."""

from collections.abc import Iterable
from datetime import datetime
from enum import Enum
from typing import TypeVar

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.models import User
from annotation.models import Correction, Judgment, Membership, Project, Recusal, Skip
from annotation.models.slots import Slot
from annotation.projects.selectors import progress

SlotT = TypeVar("SlotT", bound=Slot)
# Pages show "more than 100", so that counting stays cheap.
LIMIT = 100


class WhyNone(Enum):
    """Why a person gets no work."""

    CLOSED = "the project is closed"
    PAUSED = "the person is paused"
    NOT_ADMITTED = "the person has not agreed, or not qualified, yet"
    LIMIT = "the person has given as many answers as one person may"
    NOTHING = "nothing waits for them"


def why_none(membership: Membership, *, correcting: bool = False) -> WhyNone:
    """Return why the person has no pair to judge, or no candidate to correct."""
    if not membership.project.is_open:
        return WhyNone.CLOSED
    if membership.paused_at is not None:
        return WhyNone.PAUSED
    if not membership.is_admitted:
        return WhyNone.NOT_ADMITTED
    may_give = corrections_left(membership) if correcting else judgments_left(membership)
    return WhyNone.LIMIT if may_give == 0 else WhyNone.NOTHING


def judgments_left(membership: Membership) -> int | None:
    """Return how many more judgments the person may give; None without a limit."""
    most = membership.project.most_judgments
    return None if most is None else max(0, most - progress.judgments_of(membership).total)


def corrections_left(membership: Membership) -> int | None:
    """Return how many more corrections the person may give; None without a limit."""
    most = membership.project.most_corrections
    return None if most is None else max(0, most - progress.corrections_of(membership).total)


def corrections_for(membership: Membership) -> int:
    """Return about how many candidates the person can correct, at most LIMIT + 1."""
    if not (membership.may_correct and membership.is_given_work):
        return 0
    unanswered = Correction.objects.filter(project=membership.project_id, action=None)
    ahead, behind = _stretches(unanswered, membership.correction_place)
    reachable = _free_or_held(ahead, membership) | _free_or_held(behind, membership)
    if membership.project.skipping != Project.Skipping.LATER:
        skips = Skip.objects.filter(annotator=membership.user_id, correction__in=reachable)
        reachable -= set(skips.values_list("correction", flat=True))
    return _at_most(len(reachable), corrections_left(membership))


def pairs_for(membership: Membership) -> int:
    """Return about how many pairs the person can judge, at most LIMIT + 1.

    Reads the slots of LIMIT + 1 pairs ahead of the person's place, and as many behind it that were
    claimed and returned. If the person has had all pairs read and there are more, counts one pair.
    """
    if not (membership.may_judge and membership.is_given_work):
        return 0
    unanswered = Judgment.objects.filter(project=membership.project_id, label=None)
    ahead, behind = _stretches(unanswered, membership.judgment_place)
    window = (LIMIT + 1) * membership.project.judgments_per_pair
    read = list(ahead.values_list(*_SLOT)[:window])
    returned = behind.filter(claimed_at__isnull=False).values_list(*_SLOT)[:window]
    held = unanswered.filter(annotator=membership.user_id).count()
    waiting = len(_open_to(membership, _free_pairs([*read, *returned])))
    more = int(not waiting and len(read) == window)
    return _at_most(held + waiting + more, judgments_left(membership))


_SLOT = ("pair", "annotator", "lease_until")


def _stretches(unanswered: QuerySet[SlotT], place: int) -> tuple[QuerySet[SlotT], QuerySet[SlotT]]:
    """The slots ahead of a place in the queue and those behind it, each in order."""
    queue = unanswered.order_by("queue_key")
    return queue.filter(queue_key__gt=place), queue.filter(queue_key__lte=place)


def _free_or_held(corrections: QuerySet[Correction], membership: Membership) -> set[int]:
    free = Q(annotator=None) | Q(lease_until__lt=timezone.now()) | Q(annotator=membership.user_id)
    return set(corrections.filter(free).values_list("pk", flat=True)[: LIMIT + 1])


def _free_pairs(slots: Iterable[tuple[int, int | None, datetime | None]]) -> set[int]:
    """Pairs of slots that are free or whose lease has ended."""
    now = timezone.now()
    return {
        pair for pair, annotator, until in slots if annotator is None or (until and until < now)
    }


def _open_to(membership: Membership, pairs: set[int]) -> set[int]:
    """Pairs without a slot or recusal of this person, under any of their accounts."""
    main = membership.user.main_account_id or membership.user_id
    accounts = User.objects.filter(Q(pk=main) | Q(main_account=main)).values_list("pk", flat=True)
    own = {"pair__in": pairs, "annotator__in": list(accounts)}
    had = set(Judgment.objects.filter(**own).values_list("pair", flat=True))
    return pairs - had - set(Recusal.objects.filter(**own).values_list("pair", flat=True))


def _at_most(waiting: int, left: int | None) -> int:
    return min(waiting, LIMIT + 1, waiting if left is None else left)
