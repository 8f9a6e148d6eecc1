"""Exclusion and reinstatement of answers: which slots of a pair count afterwards.

The number of answers per pair stays the same: each excluded answer gets a replacement slot. If the
answer is reinstated, an open replacement is deleted and an answered one no longer counts (rule:
annotation.stats.replacements; reasons: decision 0012). A pair that was decided early gets its
missing slots when it is open again. Answers of earlier rounds are only marked.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db.models import Max, OuterRef, Subquery
from django.utils import timezone

from annotation.models import Consensus, Intervention, Judgment, Project, SentencePair
from annotation.projects import protocols
from annotation.stats.consensus import Decision, Protocol, decide
from annotation.stats.replacements import Settlement, Slot, close, settle
from annotation.work.services import queue

Kind = Intervention.Kind
PAIRS_AT_ONCE = 2000


class Row(NamedTuple):
    """A slot as read. `held_by` is the kind of the intervention that excludes it."""

    id: int
    pair: int
    slot: int
    annotator: int | None
    label: int | None
    replaces: int | None
    queue_key: int | None
    held_out: int | None
    held_by: str | None
    superseded_by: int | None


COLUMNS = (
    "id",
    "pair_id",
    "slot",
    "annotator_id",
    "label",
    "replaces_id",
    "queue_key",
    "held_out_id",
    "held_out__kind",
    "superseded_by_id",
)
Rule = Callable[[Row], bool]


class _Pair(NamedTuple):
    """The slots of a pair's latest round by id, in order, and their new settlement.

    `lacks` counts slots that were never issued, or were not answered before an early decision.
    `earlier` are the answers of earlier rounds. `decision` is None while the pair is open.
    """

    id: int
    rows: dict[int, Row]
    earlier: dict[int, Row]
    settled: Settlement
    lacks: int
    decision: Decision | None

    @property
    def left(self) -> list[Row]:
        """The slots that are not deleted."""
        return [row for row in self.rows.values() if row.id not in self.settled.gone]

    @property
    def size(self) -> int:
        """Number of slots in all rounds, including those not issued after an early decision."""
        return len(self.earlier) + len(self.left) + len(self.settled.wanting) + self.lacks

    @property
    def beyond(self) -> list[Row]:
        """Slots whose numbers exceed the size."""
        return [row for row in self.left if row.slot > self.size]

    @property
    def free(self) -> list[int]:
        """Unused slot numbers in order: first for `beyond`, then for new slots."""
        taken = {row.slot for row in (*self.earlier.values(), *self.left)}
        return [number for number in range(1, self.size + 1) if number not in taken]


def recount(project: Project, pairs: Sequence[int], *, step: Intervention, is_out: Rule) -> None:
    """Settle and decide pairs again, with the answers excluded for which `is_out` is true.

    `pairs` are keys, in order, of pairs without a known answer; `step` excludes or reinstates. Call
    it in a transaction: slots are locked in (pair, slot) order, as when work is claimed, before
    their pairs.
    """
    for keys in _some(pairs):
        settled = _opened(project, keys, is_out)
        _mark(settled, step, is_out)
        _carry_out(project, keys, settled)


def settle_anew(project: Project, pairs: Sequence[int]) -> None:
    """Settle and decide pairs again from their stored answers, without changing exclusions."""
    for keys in _some(pairs):
        settled = _opened(project, keys, lambda row: row.held_by == Intervention.Kind.HOLD_OUT)
        _carry_out(project, keys, settled)


def _some(pairs: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(pairs), PAIRS_AT_ONCE):
        yield pairs[first : first + PAIRS_AT_ONCE]


def _opened(project: Project, keys: Sequence[int], is_out: Rule) -> list[_Pair]:
    """Lock the pairs and delete their consensus: triggers protect judgments of decided pairs."""
    found, protocol = _locked(keys), protocols.of(project)
    Consensus.objects.filter(pair__in=keys).delete()
    return [_settled(pair, rows, is_out, protocol) for pair, rows in found]


def _carry_out(project: Project, keys: Sequence[int], settled: Sequence[_Pair]) -> None:
    _take_away(settled)
    _issue(project, settled)
    _decide(keys, settled)


def _locked(keys: Sequence[int]) -> list[tuple[int, dict[int, Row]]]:
    slots = Judgment.objects.filter(pair__in=keys).order_by("pair", "slot")
    list(slots.select_for_update(of=("self",)).values_list("pk"))
    # Read again: a statement that waits for locks does not see slots added meanwhile.
    rows = map(Row._make, slots.values_list(*COLUMNS))
    found = {
        pair: {row.id: row for row in group} for pair, group in groupby(rows, lambda row: row.pair)
    }
    return [(pair, found.get(pair, {})) for pair in keys]


def _settled(pair: int, rows: dict[int, Row], is_out: Rule, protocol: Protocol) -> _Pair:
    earlier = {key: row for key, row in rows.items() if row.superseded_by is not None}
    latest = {key: row for key, row in rows.items() if row.superseded_by is None}
    slots = [Slot(row.id, row.replaces, is_out(row), row.label is None) for row in latest.values()]
    settled = settle(slots)
    given = [label for key in settled.counting if (label := latest[key].label) is not None]
    decision = decide(given, protocol)
    if decision.decided:
        settled = close(slots)
    lines = len(settled.counting) + len(settled.wanting)
    lacks = max(0, protocol.annotators_per_pair - lines)
    return _Pair(pair, latest, earlier, settled, lacks, decision if decision.decided else None)


def _mark(pairs: Iterable[_Pair], step: Intervention, is_out: Rule) -> None:
    """Record for each slot whether it counts, and if not, since which intervention."""
    back, out = [], []
    for pair in pairs:
        back += [key for key in pair.settled.counting if pair.rows[key].held_out]
        out += [row.id for row in pair.left if _is_newly_out(pair, row)]
        earlier = pair.earlier.values()
        back += [row.id for row in earlier if row.held_by == Kind.HOLD_OUT and not is_out(row)]
        out += [row.id for row in earlier if row.held_out is None and is_out(row)]
    Judgment.objects.filter(pk__in=back).update(held_out=None)
    Judgment.objects.filter(pk__in=out).update(held_out=step)


def _is_newly_out(pair: _Pair, row: Row) -> bool:
    if row.id in pair.settled.counting:
        return False
    return row.held_by != (Kind.REINSTATE if row.id in pair.settled.aside else Kind.HOLD_OUT)


def _take_away(pairs: Iterable[_Pair]) -> None:
    """Delete slots that are no longer needed, and renumber those beyond the pair's size."""
    gone = [key for pair in pairs for key in pair.settled.gone]
    Judgment.objects.filter(pk__in=gone).delete()
    for pair in pairs:
        for number, row in zip(pair.free, pair.beyond, strict=False):
            Judgment.objects.filter(pk=row.id).update(slot=number)


def _issue(project: Project, pairs: Sequence[_Pair]) -> None:
    """Create missing slots and add slots to the queue where the pair is not set aside.

    `claimed_at` marks them for people whose queue place is past them: these look behind it.
    """
    _resize(pairs)
    now = timezone.now()
    rows = SentencePair.objects.in_bulk([pair.id for pair in pairs])
    made, entering = [], []
    for ahead, pair in enumerate(pairs):
        row, new = rows[pair.id], _wanting(project, pair)
        made += new
        if row.set_aside_at is None:
            slots = [*_open(pair), *new]
            entering += queue.give_keys(project, row, slots, now=now, ahead=ahead)
    for slot in entering:
        slot.claimed_at = now
    old = [slot for slot in entering if slot.pk]
    Judgment.objects.bulk_update(old, ["queue_key", "claimed_at"], batch_size=500)
    Judgment.objects.bulk_create(made, batch_size=2000)


def _wanting(project: Project, pair: _Pair) -> list[Judgment]:
    """Return the slots to create; none while the pair is decided."""
    if pair.decision:
        return []
    numbers = pair.free[len(pair.beyond) :]
    replaced = [*pair.settled.wanting, *[None] * pair.lacks]
    return [
        Judgment(project=project, pair_id=pair.id, slot=number, replaces_id=key)
        for number, key in zip(numbers, replaced, strict=True)
    ]


def _open(pair: _Pair) -> list[Judgment]:
    """Return the open slots with the fields that the queue needs."""
    rows = [pair.rows[key] for key in pair.settled.counting]
    return [
        Judgment(pk=row.id, slot=row.slot, queue_key=row.queue_key)
        for row in sorted(rows, key=lambda row: row.slot)
        if row.label is None
    ]


def _resize(pairs: Iterable[_Pair]) -> None:
    """Set the slot count of each pair; a trigger rejects slots beyond it."""
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        by_size[pair.size].append(pair.id)
    for size, keys in by_size.items():
        SentencePair.objects.filter(pk__in=keys).update(slots=size)


def _decide(keys: Iterable[int], pairs: Iterable[_Pair]) -> None:
    """Store the consensus of pairs that have all or enough answers.

    `decided_at` is the time of the last counting answer.
    """
    Consensus.objects.bulk_create(
        (_consensus(pair.id, pair.decision) for pair in pairs if pair.decision), batch_size=2000
    )
    counting = Judgment.objects.filter(pair=OuterRef("pair"), held_out=None, superseded_by=None)
    last = counting.order_by().values("pair").annotate(last=Max("submitted_at")).values("last")
    Consensus.objects.filter(pair__in=keys).update(decided_at=Subquery(last))


def _consensus(pair: int, decision: Decision) -> Consensus:
    return Consensus(
        pair_id=pair, tally=list(decision.tally), label=decision.majority, kept=decision.kept
    )
