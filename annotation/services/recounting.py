"""Which answers count on pairs where some are held out or put back, and what follows from that.

A pair asks for as many answers as ever: for one that is held out a slot is issued, which goes when
the answer is put back; what somebody has answered there by then stands aside. The rule itself is
annotation.stats.replacements, and decision 0012 says why.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db.models import Max, OuterRef, Subquery
from django.utils import timezone

from annotation import protocols
from annotation.models import Consensus, Intervention, Judgment, Project, SentencePair
from annotation.services import queues
from annotation.stats.consensus import Protocol, decide
from annotation.stats.replacements import Settlement, Slot, settle

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
)
Rule = Callable[[Row], bool]


class _Pair(NamedTuple):
    """The slots of a pair by id, in order, and what they are to be."""

    id: int
    rows: dict[int, Row]
    settled: Settlement

    @property
    def left(self) -> list[Row]:
        """The slots that stay."""
        return [row for row in self.rows.values() if row.id not in self.settled.gone]

    @property
    def labels(self) -> list[int] | None:
        """Those that count; None while one is lacking."""
        labels = [self.rows[key].label for key in self.settled.counting]
        given = [label for label in labels if label is not None]
        return given if len(given) == len(labels) and not self.settled.wanting else None


def recount(project: Project, pairs: Sequence[int], *, step: Intervention, is_out: Rule) -> None:
    """Settle pairs anew, where `is_out` tells whose own answers are held out, and decide them.

    `pairs` are the keys, in order, of pairs without a known answer, and `step` holds out or puts
    back. To be called in a transaction: slots are locked pair by pair and each pair's in the order
    of a turn, before the pairs themselves.
    """
    for first in range(0, len(pairs), PAIRS_AT_ONCE):
        keys = pairs[first : first + PAIRS_AT_ONCE]
        found = _locked(keys)
        # The triggers let nobody touch the judgments of a decided pair.
        Consensus.objects.filter(pair__in=keys).delete()
        settled = [_settled(pair, rows, is_out) for pair, rows in found]
        _mark(settled, step)
        _take_away(settled)
        _issue(project, settled)
        _decide(project, keys, settled)


def _locked(keys: Sequence[int]) -> list[tuple[int, dict[int, Row]]]:
    slots = Judgment.objects.filter(pair__in=keys).order_by("pair", "slot")
    list(slots.select_for_update(of=("self",)).values_list("pk"))
    # Once more: while it waits, a statement does not see slots that others add.
    rows = map(Row._make, slots.values_list(*COLUMNS))
    return [
        (pair, {row.id: row for row in group})
        for pair, group in groupby(rows, lambda row: row.pair)
    ]


def _settled(pair: int, rows: dict[int, Row], is_out: Rule) -> _Pair:
    slots = [Slot(row.id, row.replaces, is_out(row), row.label is None) for row in rows.values()]
    return _Pair(pair, rows, settle(slots))


def _mark(pairs: Iterable[_Pair], step: Intervention) -> None:
    """Write down of each slot whether it counts, and if it does not, since which step."""
    back, out = [], []
    for pair in pairs:
        back += [key for key in pair.settled.counting if pair.rows[key].held_out]
        out += [row.id for row in pair.left if _is_newly_out(pair, row)]
    Judgment.objects.filter(pk__in=back).update(held_out=None)
    Judgment.objects.filter(pk__in=out).update(held_out=step)


def _is_newly_out(pair: _Pair, row: Row) -> bool:
    if row.id in pair.settled.counting:
        return False
    kinds = Intervention.Kind
    return row.held_by != (kinds.REINSTATE if row.id in pair.settled.aside else kinds.HOLD_OUT)


def _take_away(pairs: Iterable[_Pair]) -> None:
    """Remove the slots that are wanted no longer, and leave no gap in the numbers of the others."""
    gone = [key for pair in pairs for key in pair.settled.gone]
    Judgment.objects.filter(pk__in=gone).delete()
    for pair in pairs:
        for number, row in enumerate(pair.left, start=1):
            if row.slot != number:
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
            entering += queues.give_keys(project, row, slots, now=now, ahead=ahead)
    for slot in entering:
        slot.claimed_at = now
    old = [slot for slot in entering if slot.pk]
    Judgment.objects.bulk_update(old, ["queue_key", "claimed_at"], batch_size=500)
    Judgment.objects.bulk_create(made, batch_size=2000)


def _wanting(project: Project, pair: _Pair) -> list[Judgment]:
    return [
        Judgment(project=project, pair_id=pair.id, slot=number, replaces_id=replaced)
        for number, replaced in enumerate(pair.settled.wanting, start=len(pair.left) + 1)
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
        by_size[len(pair.left) + len(pair.settled.wanting)].append(pair.id)
    for size, keys in by_size.items():
        SentencePair.objects.filter(pk__in=keys).update(slots=size)


def _decide(project: Project, keys: Iterable[int], pairs: Iterable[_Pair]) -> None:
    """Decide those pairs anew of which every answer is there.

    A pair was decided when the last of the answers that count was given.
    """
    protocol = protocols.of(project)
    Consensus.objects.bulk_create(
        (_consensus(pair.id, labels, protocol) for pair in pairs if (labels := pair.labels)),
        batch_size=2000,
    )
    counting = Judgment.objects.filter(pair=OuterRef("pair"), held_out=None).order_by()
    last = counting.values("pair").annotate(last=Max("submitted_at")).values("last")
    Consensus.objects.filter(pair__in=keys).update(decided_at=Subquery(last))


def _consensus(pair: int, labels: Sequence[int], protocol: Protocol) -> Consensus:
    decision = decide(labels, protocol)
    return Consensus(
        pair_id=pair, tally=list(decision.tally), label=decision.majority, kept=decision.kept
    )
