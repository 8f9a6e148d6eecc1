"""Exclusion and reinstatement of answers: which slots of a pair count afterwards.

An excluded answer opens a slot, so that each pair gets as many counting answers as its protocol
asks for. If the answer is put back, the first answers by time count (annotation.stats.consensus):
later ones are marked as surplus by the intervention that put the answer back, and slots that are no
longer needed are deleted. Answers of earlier rounds are only marked. Decision 0012 gives reasons.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from django.db.models import Max, OuterRef, Subquery
from django.utils import timezone

from annotation.models import Consensus, Intervention, Judgment, Project, SentencePair, Slot
from annotation.projects import protocols
from annotation.stats import consensus
from annotation.stats.consensus import Protocol, Settlement
from annotation.work import queue

Kind = Intervention.Kind
PAIRS_AT_ONCE = 2000


class Row(NamedTuple):
    """A slot as read. `excluded_kind` is the kind of the intervention that excludes it."""

    id: int
    pair: int
    number: int
    annotator: int | None
    label: int | None
    submitted_at: datetime | None
    excluded_by: int | None
    excluded_kind: str | None
    superseded_by: int | None


COLUMNS = (
    "id",
    "item_id",
    "number",
    "annotator_id",
    "label",
    "submitted_at",
    "excluded_by_id",
    "excluded_by__kind",
    "superseded_by_id",
)
Rule = Callable[[Row], bool]


class _Pair(NamedTuple):
    """The slots of a pair's latest round by id, those of earlier rounds, and what is to happen."""

    id: int
    latest: dict[int, Row]
    earlier: list[Row]
    settled: Settlement


def recount(
    project: Project, pairs: Sequence[int], *, step: Intervention, is_excluded: Rule
) -> None:
    """Settle and decide pairs again, with the answers excluded for which `is_excluded` is true.

    `pairs` are keys, in order, of pairs that are not gold; `step` excludes or reinstates. Call it
    in a transaction: slots are locked in (pair, number) order, as when work is claimed, before
    their pairs.
    """
    for some in _chunks(pairs):
        settled = _opened(project, some, is_excluded)
        _mark(settled, step, is_excluded)
        _carry_out(project, settled)


def settle_again(project: Project, pairs: Sequence[int]) -> None:
    """Settle and decide pairs again from their stored answers, without changing exclusions."""
    for some in _chunks(pairs):
        _carry_out(project, _opened(project, some, lambda row: row.excluded_by is not None))


def _chunks(pairs: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(pairs), PAIRS_AT_ONCE):
        yield pairs[first : first + PAIRS_AT_ONCE]


def _opened(project: Project, pairs: Sequence[int], is_excluded: Rule) -> list[_Pair]:
    """Lock the pairs and delete their consensus: triggers protect judgments of decided pairs."""
    found, protocol = _locked(pairs), protocols.of(project)
    Consensus.objects.filter(pair__in=pairs).delete()
    return [_settled(pair, found.get(pair, []), is_excluded, protocol) for pair in pairs]


def _locked(pairs: Sequence[int]) -> dict[int, list[Row]]:
    slots = Judgment.objects.filter(item__in=pairs).order_by("item", "number")
    list(slots.select_for_update(of=("self",)).values_list("pk"))
    # Read again: a statement that waits for locks does not see slots added meanwhile.
    rows = map(Row._make, slots.values_list(*COLUMNS))
    return {pair: list(group) for pair, group in groupby(rows, lambda row: row.pair)}


def _settled(pair: int, rows: Iterable[Row], is_excluded: Rule, protocol: Protocol) -> _Pair:
    latest, earlier = dict[int, Row](), list[Row]()
    for row in rows:
        if row.superseded_by is None:
            latest[row.id] = row
        else:
            earlier.append(row)
    slots = [
        consensus.Slot(
            row.id,
            row.label,
            row.submitted_at.timestamp() if row.submitted_at else 0.0,
            is_excluded(row),
            row.annotator is not None,
        )
        for row in latest.values()
    ]
    return _Pair(pair, latest, earlier, consensus.settle(slots, protocol))


def _mark(pairs: Iterable[_Pair], step: Intervention, is_excluded: Rule) -> None:
    """Record for each answer whether it counts, and if not, since which intervention."""
    cleared, marked = list[int](), list[int]()
    for pair in pairs:
        counted, surplus = set(pair.settled.counting), set(pair.settled.surplus)
        for row in (*pair.latest.values(), *pair.earlier):
            if row.label is None:
                continue
            wanted = Kind.EXCLUDE if is_excluded(row) else None
            if row.id in surplus:
                wanted = Kind.REINSTATE
            if row.excluded_kind == wanted:
                continue
            if wanted is None and (row.id in counted or row.superseded_by is not None):
                cleared.append(row.id)
            elif wanted is not None:
                marked.append(row.id)
    Judgment.objects.filter(pk__in=cleared).update(excluded_by=None)
    Judgment.objects.filter(pk__in=marked).update(excluded_by=step)


def _carry_out(project: Project, pairs: Sequence[_Pair]) -> None:
    gone = [slot for pair in pairs for slot in pair.settled.gone]
    Judgment.objects.filter(pk__in=gone).delete()
    _open(project, pairs)
    _decide(pairs)


def _open(project: Project, pairs: Sequence[_Pair]) -> None:
    """Create missing slots and add slots to the queue where the pair is not set aside.

    `claimed_at` marks them for people whose queue place is past them: these look behind it.
    """
    now, rows = timezone.now(), SentencePair.objects.in_bulk([pair.id for pair in pairs])
    kept = Slot.objects.in_bulk([key for pair in pairs for key in pair.settled.kept])
    made, entering = list[Slot](), list[Slot]()
    for ahead, pair in enumerate(pairs):
        if pair.settled.decision.decided:
            continue
        row, new = rows[pair.id], _new_slots(project, pair)
        _grow(row, new)
        made += new
        if row.set_aside_at is None:
            slots = [*(kept[key] for key in pair.settled.kept), *new]
            slots.sort(key=lambda slot: slot.number)
            entering += queue.give_keys(project, row, slots, now=now, ahead=ahead)
    for slot in entering:
        slot.claimed_at = now
    old = [slot for slot in entering if slot.pk]
    Slot.objects.bulk_update(old, ["queue_key", "claimed_at"], batch_size=500)
    Slot.objects.bulk_create(made, batch_size=2000)


def _new_slots(project: Project, pair: _Pair) -> list[Slot]:
    """The slots that are missing, with the lowest numbers that are free."""
    gone = set(pair.settled.gone)
    taken = {row.number for row in pair.earlier}
    taken |= {row.number for row in pair.latest.values() if row.id not in gone}
    numbers = (number for number in range(1, 2**15) if number not in taken)
    return [
        Slot(project=project, kind="judge", item_id=pair.id, number=next(numbers))
        for _ in range(pair.settled.lacking)
    ]


def _grow(pair: SentencePair, new: Iterable[Slot]) -> None:
    """Raise the slot count of a pair to its highest number; a trigger rejects slots beyond it."""
    highest = max((slot.number for slot in new), default=0)
    if highest > pair.slot_count:
        SentencePair.objects.filter(pk=pair.pk).update(slot_count=highest)


def _decide(pairs: Sequence[_Pair]) -> None:
    """Store the consensus of pairs that have all or enough answers.

    `decided_at` is the time of the last counting answer.
    """
    decided = [pair for pair in pairs if pair.settled.decision.decided]
    Consensus.objects.bulk_create(
        (
            Consensus(
                pair_id=pair.id,
                tally=list(pair.settled.decision.tally),
                label=pair.settled.decision.majority,
                kept=pair.settled.decision.kept,
            )
            for pair in decided
        ),
        batch_size=2000,
    )
    answers = Judgment.objects.filter(item=OuterRef("pair"), excluded_by=None, superseded_by=None)
    last = answers.order_by().values("item").annotate(last=Max("submitted_at")).values("last")
    keys = [pair.id for pair in decided]
    Consensus.objects.filter(pair__in=keys).update(decided_at=Subquery(last))
