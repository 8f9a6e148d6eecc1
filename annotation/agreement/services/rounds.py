"""A second round: pairs on which too few people agree are asked of others anew."""

import uuid
from collections.abc import Collection, Iterator, Sequence

from django.db import transaction
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.agreement.selectors import undecided_pairs
from annotation.models import Consensus, Judgment, Project, Reopening, SentencePair
from annotation.projects.services import projects
from annotation.work.services import queue

AT_ONCE = 2000


@transaction.atomic
def reopen(project: Project, pairs: Collection[uuid.UUID], *, by: User) -> int:
    """Ask as many other people anew about pairs that are decided and not kept, by public id.

    What the round before came to goes on record, its answers count no longer, and new slots enter
    the queue; whoever has judged a pair, or must not, is given none of them. Pairs that are not
    decided, kept, hidden, or in their last possible round stay as they are. Returns how many were
    reopened.
    """
    projects.stand_still(project)
    keys: list[int | None] = []
    reopened = 0
    for some in _some(project, pairs):
        decided = _locked(project, some)
        _close(decided, by=by)
        keys += _issue(project, [each.pair for each in decided])
        reopened += len(decided)
    queue.call_back(project, queue.JUDGMENT_PLACE, keys)
    if reopened:
        audit.record(Act.REOPENED, by=by, on=project, pairs=reopened)
    return reopened


def _some(project: Project, pairs: Collection[uuid.UUID]) -> Iterator[Sequence[int]]:
    """Keys of those that can be reopened in order, so many at a time as one statement takes."""
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
    """What the pairs came to. Their slots are locked in the order of a turn, before the pairs."""
    slots = Judgment.objects.filter(pair__in=keys).order_by("pair", "slot")
    list(slots.select_for_update(of=("self",)).values_list("pk"))
    # Once more: another manager may have reopened some of them while this waited.
    still = undecided_pairs.reopenable(project).filter(pk__in=keys)
    list(still.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))
    found = Consensus.objects.filter(pair__in=still.values("pk"))
    return list(found.select_related("pair").order_by("pair"))


def _close(decided: Sequence[Consensus], *, by: User) -> None:
    """Put on record what a round came to. Judgments may be touched once nothing is decided."""
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
    latest = Reopening.objects.filter(pair=OuterRef("pair")).order_by("-number").values("pk")[:1]
    over = Judgment.objects.filter(pair__in=pairs, superseded_by=None)
    over.update(superseded_by=Subquery(latest))


def _issue(project: Project, pairs: Sequence[SentencePair]) -> list[int | None]:
    """Make the slots of a new round; returns their keys."""
    more, now = project.judgments_per_pair, timezone.now()
    SentencePair.objects.filter(pk__in=[pair.pk for pair in pairs]).update(
        slots=F("slots") + more, set_aside_at=None
    )
    made = []
    for ahead, pair in enumerate(pairs):
        numbers = range(pair.slots + 1, pair.slots + more + 1)
        slots = [Judgment(project=project, pair=pair, slot=number) for number in numbers]
        queue.give_keys(project, pair, slots, now=now, ahead=ahead)
        made += slots
    Judgment.objects.bulk_create(made, batch_size=2000)
    return [slot.queue_key for slot in made]
