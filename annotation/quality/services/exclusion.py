"""Exclusion and reinstatement of answers: which slots of a pair count afterwards.

An excluded answer opens a slot, so that each pair gets as many counting answers as its protocol
asks for. The first answers by time count (annotation.stats.consensus): later ones are marked as
surplus by the intervention that made them so, and slots that are no longer needed are deleted. An
intervention that puts answers back does that; where more people are asked until enough agree, one
that excludes answers does it too. Answers of earlier rounds are only marked. Decision 0012 gives
reasons.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from django.db.models import Max, OuterRef, Subquery
from django.utils import timezone

from annotation.models import Consensus, Intervention, Judgment, Project, SentencePair, Slot
from annotation.projects import protocols
from annotation.stats import consensus
from annotation.stats.consensus import Protocol, Settlement
from annotation.work import queue
from generation.records import in_chunks

PAIRS_AT_ONCE = 2000


Rule = Callable[[Slot], bool]


class _Pair(NamedTuple):
    """The slots of a pair, of the latest round and of earlier ones, and what is to happen."""

    id: int
    latest: list[Slot]
    earlier: list[Slot]
    settled: Settlement


def recount(
    project: Project,
    pairs: Sequence[int],
    *,
    step: Intervention,
    is_excluded: Rule,
    reserved: bool = False,
) -> None:
    """Settle and decide pairs again, with the answers excluded for which `is_excluded` is true.

    `pairs` are keys, in order, of pairs that are not gold; `step` excludes or reinstates. Where it
    excludes, the slot for the answer is `reserved` if so asked. Call it in a transaction: slots are
    locked in (pair, number) order, as when work is claimed, before their pairs.
    """
    for chunk in in_chunks(pairs, PAIRS_AT_ONCE):
        settled = _lock_and_settle(project, chunk, is_excluded)
        _mark_answers(settled, step, is_excluded)
        _carry_out(project, settled, reserved=reserved)


def settle_again(project: Project, pairs: Sequence[int]) -> None:
    """Settle and decide pairs again from their stored answers, without changing exclusions."""
    for chunk in in_chunks(pairs, PAIRS_AT_ONCE):
        settled = _lock_and_settle(project, chunk, lambda slot: slot.excluded_by is not None)
        _carry_out(project, settled)


def _lock_and_settle(project: Project, pairs: Sequence[int], is_excluded: Rule) -> list[_Pair]:
    """Lock the pairs and delete their consensus: triggers protect judgments of decided pairs."""
    slots, protocol = _lock_slots(pairs), protocols.of_project(project)
    Consensus.objects.filter(pair__in=pairs).delete()
    closed = SentencePair.objects.filter(pk__in=pairs, most_votes__isnull=False)
    most_votes = dict(closed.values_list("pk", "most_votes")) if protocol.asks_more else {}
    return [
        _settle_pair(
            pair, slots.get(pair, []), is_excluded, protocol.closed_at(most_votes.get(pair))
        )
        for pair in pairs
    ]


def _lock_slots(pairs: Sequence[int]) -> dict[int, list[Slot]]:
    slots = Judgment.objects.filter(item__in=pairs).order_by("item", "number")
    list(slots.select_for_update(of=("self",)).values_list("pk"))
    # Read again: a statement that waits for locks does not see slots added meanwhile.
    rows = slots.select_related("excluded_by__membership")
    return {pair: list(group) for pair, group in groupby(rows, lambda slot: slot.item_id)}


def _settle_pair(pair: int, slots: Sequence[Slot], is_excluded: Rule, protocol: Protocol) -> _Pair:
    latest = [slot for slot in slots if slot.superseded_by_id is None]
    earlier = [slot for slot in slots if slot.superseded_by_id is not None]
    settled = consensus.settle(
        (
            consensus.Slot(
                slot.pk,
                slot.label,
                slot.submitted_at.timestamp() if slot.submitted_at else 0.0,
                is_excluded(slot),
                slot.annotator_id is not None,
            )
            for slot in latest
        ),
        protocol,
    )
    return _Pair(pair, latest, earlier, settled)


def _mark_answers(pairs: Iterable[_Pair], step: Intervention, is_excluded: Rule) -> None:
    """Record for each answer whether it counts, and if not, since which intervention."""
    to_include, to_exclude = list[int](), list[int]()
    for pair in pairs:
        for slot in (*pair.latest, *pair.earlier):
            if slot.label is None:
                continue
            # Enough others came before a surplus answer.
            excluded, surplus = is_excluded(slot), slot.pk in pair.settled.surplus
            if (excluded, surplus) == (slot.is_excluded, slot.is_surplus):
                continue
            if excluded or surplus:
                to_exclude.append(slot.pk)
            elif slot.pk in pair.settled.counting or slot.superseded_by_id is not None:
                to_include.append(slot.pk)
    Judgment.objects.filter(pk__in=to_include).update(excluded_by=None)
    Judgment.objects.filter(pk__in=to_exclude).update(excluded_by=step)


def _carry_out(project: Project, pairs: Sequence[_Pair], *, reserved: bool = False) -> None:
    to_delete = [slot for pair in pairs for slot in pair.settled.gone]
    Judgment.objects.filter(pk__in=to_delete).delete()
    _open_missing_slots(project, pairs, reserved=reserved)
    _decide(pairs)


def _open_missing_slots(project: Project, pairs: Sequence[_Pair], *, reserved: bool) -> None:
    """Create missing slots and add slots to the queue where the pair is not set aside or out.

    `claimed_at` marks them for people whose queue place is past them: these look behind it.
    """
    now, rows = timezone.now(), SentencePair.objects.in_bulk([pair.id for pair in pairs])
    new_slots, entering = list[Slot](), list[Slot]()
    for ahead, pair in enumerate(pairs):
        if pair.settled.decision.decided:
            continue
        row, new = rows[pair.id], _new_slots(project, pair, reserved=reserved)
        kept = [slot for slot in pair.latest if slot.pk in pair.settled.kept]
        _grow(row, new)
        new_slots += new
        _unreserve_surplus(pair, kept)
        if row.set_aside_at is None and row.excluded_by_id is None:
            slots = sorted([*kept, *new], key=lambda slot: slot.number)
            entering += queue.give_keys(project, row, slots, now=now, ahead=ahead)
    for slot in entering:
        slot.claimed_at = now
    old = [slot for slot in entering if slot.pk]
    Slot.objects.bulk_update(old, ["queue_key", "claimed_at"], batch_size=500)
    Slot.objects.bulk_create(new_slots, batch_size=2000)


def _unreserve_surplus(pair: _Pair, kept: Sequence[Slot]) -> None:
    """Reserve no more slots than answers are excluded: a reinstated answer needs no other."""
    counting = {*pair.settled.counting, *pair.settled.surplus}
    excluded = sum(slot.label is not None and slot.pk not in counting for slot in pair.latest)
    for slot in [slot for slot in kept if slot.reserved][excluded:]:
        slot.reserved = False
        Slot.objects.filter(pk=slot.pk).update(reserved=False)


def _new_slots(project: Project, pair: _Pair, *, reserved: bool) -> list[Slot]:
    """The slots that are missing, with the lowest numbers that are free.

    At most one of them is `reserved`: a step excludes at most one answer of a pair.
    """
    slots = (*pair.latest, *pair.earlier)
    taken_numbers = {slot.number for slot in slots if slot.pk not in pair.settled.gone}
    numbers = (number for number in range(1, 2**15) if number not in taken_numbers)
    return [
        Slot(
            project=project,
            kind=Judgment.KIND,
            item_id=pair.id,
            number=next(numbers),
            reserved=reserved and place == 0,
        )
        for place in range(pair.settled.lacking)
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
                first_tally=pair.settled.first_tally,
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
