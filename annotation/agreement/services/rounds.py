"""Further rounds: pairs on which too few people agree are judged again by others."""

import uuid
from collections.abc import Collection, Iterator, Sequence

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.agreement.selectors import undecided_pairs
from annotation.models import Consensus, Judgment, Project, Reopening, SentencePair, Slot
from annotation.projects.services import projects
from annotation.work import queue

AT_ONCE = 2000


@transaction.atomic
def reopen(project: Project, pairs: Collection[uuid.UUID], *, by: User) -> int:
    """Have decided pairs that are not kept, given by public id, judged again by other people.

    The result of the round is recorded, its answers no longer count, and new slots enter the queue.
    People who have judged a pair or must not judge it do not get it. Pairs that are undecided,
    kept, gold or in their last possible round are skipped. Returns the number of reopened pairs.
    """
    projects.lock(project)
    keys: list[int | None] = []
    reopened = 0
    for some in _some(project, pairs):
        decided = _locked(project, some)
        _close(decided, by=by)
        keys += _issue(project, [each.pair for each in decided])
        reopened += len(decided)
    queue.call_back(project, "judge", keys)
    if reopened:
        audit.record(Act.REOPENED, by=by, on=project, pairs=reopened)
    return reopened


def _some(project: Project, pairs: Collection[uuid.UUID]) -> Iterator[Sequence[int]]:
    """Yield the keys of reopenable pairs in order, in chunks that fit one statement."""
    asked, keys = list(pairs), list[int]()
    for first in range(0, len(asked), AT_ONCE):
        found = undecided_pairs.reopenable(project).filter(
            public_id__in=asked[first : first + AT_ONCE]
        )
        keys += found.values_list("pk", flat=True)
    keys.sort()
    for first in range(0, len(keys), AT_ONCE):
        yield keys[first : first + AT_ONCE]


def _locked(project: Project, keys: Sequence[int]) -> list[Consensus]:
    """Return the consensus of the pairs; slots are locked first, as when work is claimed."""
    slots = Judgment.objects.filter(item__in=keys).order_by("item", "number")
    list(slots.select_for_update(of=("self",)).values_list("pk"))
    # Check again: another manager may have reopened some of them during the wait.
    still = undecided_pairs.reopenable(project).filter(pk__in=keys)
    list(still.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))
    found = Consensus.objects.filter(pair__in=still.values("pk"))
    return list(found.select_related("pair").order_by("pair"))


def _close(decided: Sequence[Consensus], *, by: User) -> None:
    """Record the result of the round. Deleting the consensus makes the judgments writable."""
    pairs = [each.pair_id for each in decided]
    rounds = undecided_pairs.rounds_of(pairs)
    Reopening.objects.bulk_create(
        Reopening(
            pair_id=each.pair_id,
            number=rounds[each.pair_id] + 1,
            by=by,
            tally=each.tally,
            label=each.label,
            decided_at=each.decided_at,
        )
        for each in decided
    )
    Consensus.objects.filter(pair__in=pairs).delete()
    latest = Reopening.objects.filter(pair=OuterRef("item")).order_by("-number").values("pk")[:1]
    over = Judgment.objects.filter(item__in=pairs, superseded_by=None)
    over.update(superseded_by=Subquery(latest))


def _issue(project: Project, pairs: Sequence[SentencePair]) -> list[int | None]:
    """Create the slots of a new round. Returns their queue keys."""
    more, now = project.judgments_per_pair, timezone.now()
    SentencePair.objects.filter(pk__in=[pair.pk for pair in pairs]).update(
        slot_count=F("slot_count") + more, set_aside_at=None
    )
    made = []
    for ahead, pair in enumerate(pairs):
        numbers = range(pair.slot_count + 1, pair.slot_count + more + 1)
        slots = [Slot(project=project, kind="judge", item=pair, number=each) for each in numbers]
        queue.give_keys(project, pair, slots, now=now, ahead=ahead)
        made += slots
    Slot.objects.bulk_create(made, batch_size=2000)
    return [slot.queue_key for slot in made]
