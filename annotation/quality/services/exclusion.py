"""Which answers count on pairs where some are held out or put back, and what follows from that.

A pair asks for as many answers as ever: for one that is held out a slot is issued, which goes when
the answer is put back; what somebody has answered there by then stands aside. The rule itself is
annotation.stats.replacements, and decision 0012 says why. A pair that was decided early lacks the
slots that nobody was asked for: it gets them when it is open again. Earlier rounds of a pair are
over: their answers are marked, and that is all.
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
    """A slot as it was found. `held_by` is the kind of the intervention that holds it out."""

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
    """The slots of a pair's latest round by id, in order, and what they are to be.

    It `lacks` so many slots that were never issued, or not answered before it was decided early.
    `earlier` are the answers of the rounds before. The decision is None while it is open.
    """

    id: int
    rows: dict[int, Row]
    earlier: dict[int, Row]
    settled: Settlement
    lacks: int
    decision: Decision | None

    @property
    def left(self) -> list[Row]:
        """The slots that stay."""
        return [row for row in self.rows.values() if row.id not in self.settled.gone]

    @property
    def size(self) -> int:
        """Of all rounds, with what is not asked since the pair was decided early."""
        return len(self.earlier) + len(self.left) + len(self.settled.wanting) + self.lacks

    @property
    def beyond(self) -> list[Row]:
        """Slots whose numbers are too high for it."""
        return [row for row in self.left if row.slot > self.size]

    @property
    def free(self) -> list[int]:
        """Numbers that no slot has, in order: first for those beyond, then for those wanting."""
        taken = {row.slot for row in (*self.earlier.values(), *self.left)}
        return [number for number in range(1, self.size + 1) if number not in taken]


def recount(project: Project, pairs: Sequence[int], *, step: Intervention, is_out: Rule) -> None:
    """Settle pairs anew, where `is_out` tells whose own answers are held out, and decide them.

    `pairs` are the keys, in order, of pairs without a known answer, and `step` holds out or puts
    back. To be called in a transaction: slots are locked pair by pair and each pair's in the order
    of a turn, before the pairs themselves.
    """
    for keys in _some(pairs):
        settled = _opened(project, keys, is_out)
        _mark(settled, step, is_out)
        _carry_out(project, keys, settled)


def settle_anew(project: Project, pairs: Sequence[int]) -> None:
    """Let pairs be what their answers say, whatever they were: as `recount`, and nothing is held
    out or put back."""
    for keys in _some(pairs):
        settled = _opened(project, keys, lambda row: row.held_by == Intervention.Kind.HOLD_OUT)
        _carry_out(project, keys, settled)


def _some(pairs: Sequence[int]) -> Iterator[Sequence[int]]:
    for first in range(0, len(pairs), PAIRS_AT_ONCE):
        yield pairs[first : first + PAIRS_AT_ONCE]


def _opened(project: Project, keys: Sequence[int], is_out: Rule) -> list[_Pair]:
    """The pairs, locked and undecided: the triggers let nobody touch the judgments of others."""
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
    # Once more: while it waits, a statement does not see slots that others add.
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
    """Write down of each slot whether it counts, and if it does not, since which step."""
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
    """Remove the slots that are wanted no longer, and leave no number beyond those of the pair."""
    gone = [key for pair in pairs for key in pair.settled.gone]
    Judgment.objects.filter(pk__in=gone).delete()
    for pair in pairs:
        for number, row in zip(pair.free, pair.beyond, strict=False):
            Judgment.objects.filter(pk=row.id).update(slot=number)


def _issue(project: Project, pairs: Sequence[_Pair]) -> None:
    """Make the slots that are wanting, and let those that may stand in the queue enter it.

    `claimed_at` says that people have passed their place in the queue: they find them behind it.
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
    """Nothing is wanting while the pair is decided."""
    if pair.decision:
        return []
    numbers = pair.free[len(pair.beyond) :]
    replaced = [*pair.settled.wanting, *[None] * pair.lacks]
    return [
        Judgment(project=project, pair_id=pair.id, slot=number, replaces_id=key)
        for number, key in zip(numbers, replaced, strict=True)
    ]


def _open(pair: _Pair) -> list[Judgment]:
    """Slots that are still to be answered, as far as the queue has to do with them."""
    rows = [pair.rows[key] for key in pair.settled.counting]
    return [
        Judgment(pk=row.id, slot=row.slot, queue_key=row.queue_key)
        for row in sorted(rows, key=lambda row: row.slot)
        if row.label is None
    ]


def _resize(pairs: Iterable[_Pair]) -> None:
    """A pair has exactly the slots that it has room for: a trigger refuses any other."""
    by_size: defaultdict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        by_size[pair.size].append(pair.id)
    for size, keys in by_size.items():
        SentencePair.objects.filter(pk__in=keys).update(slots=size)


def _decide(keys: Iterable[int], pairs: Iterable[_Pair]) -> None:
    """Decide those pairs anew of which every answer is there, or enough of them.

    A pair was decided when the last of the answers that count was given.
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
