"""Consensus of pairs: another round, an expert's decision, its repair, the model of annotators."""

import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.agreement.selectors import finishable_pairs, reopenable_pairs
from annotation.errors import Refused
from annotation.models import (
    Adjudication,
    Consensus,
    JudgingModel,
    Judgment,
    Project,
    Reopening,
    SentencePair,
    Slot,
)
from annotation.people.selectors.workforce import pairs_without_voters
from annotation.projects import protocols
from annotation.projects.selectors import study_rows
from annotation.projects.services import projects
from annotation.quality.services import exclusion
from annotation.stats.consensus import Protocol, decide_tally, settle
from annotation.stats.consensus import Slot as Answer
from annotation.stats.skill import likeliest
from annotation.work import queue
from common import bulk
from generation.records import in_chunks

PAIRS_AT_ONCE = 2000
ROWS_AT_ONCE = 5000
STORE_MODEL_LABEL = """
UPDATE annotation_consensus SET model_label = %s, model_share = %s WHERE pair_id = %s"""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A stored or recomputed consensus; the fields are columns of Consensus."""

    tally: tuple[int, ...]
    label: int | None
    kept: bool
    first_tally: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """A pair whose stored consensus differs from its answers; None means no consensus."""

    key: int
    pair: uuid.UUID
    stored: Verdict | None
    right: Verdict | None


@transaction.atomic
def reopen(
    project: Project,
    pairs: Collection[uuid.UUID],
    *,
    by: User,
    kept: bool = False,
    because: JudgingModel | None = None,
) -> int:
    """Have decided pairs, given by public id, judged again by other people; `kept` ones if asked.

    `because` is the model that disagreed, if that was the reason.
    The result of the round is recorded, its answers no longer count, and new slots enter the queue.
    People who have judged a pair or must not judge it do not get it. Pairs that are undecided,
    gold, excluded, in their last possible round, or without enough people left to judge them are
    skipped. Returns the number of reopened pairs.
    """
    projects.lock(project)
    is_chosen = bulk.among("public_id", pairs)
    to_reopen = reopenable_pairs(project, kept=kept).filter(is_chosen).order_by("pk")
    queue_keys: list[int | None] = []
    reopened = 0
    for keys in in_chunks(list(to_reopen.values_list("pk", flat=True)), PAIRS_AT_ONCE):
        keys = finishable_pairs(project, keys)
        decided = _lock_consensus(project, keys, kept=kept)
        _close_round(decided, by=by, because=because)
        queue_keys += _open_round(project, [consensus.pair for consensus in decided])
        reopened += len(decided)
    queue.call_back(project, Judgment.KIND, queue_keys)
    if reopened:
        reason: dict[str, Any] = {} if because is None else {"model": str(because)}
        audit.record(Act.REOPENED, by=by, on=project, pairs=reopened, **reason)
    return reopened


@transaction.atomic
def decide_with_votes(project: Project, *, by: User) -> int:
    """Decide the pairs that wait for one more person when none is left, with the votes they have.

    Returns their number.
    """
    projects.lock(project)
    decided = 0
    for keys in in_chunks(pairs_without_voters(project), PAIRS_AT_ONCE):
        slots = Judgment.objects.filter(item__in=keys).order_by("item", "number")
        list(slots.select_for_update(of=("self",)).values_list("pk"))
        pairs = pairs_without_voters(project, keys)  # again: some may have been given to a person
        votes = Judgment.objects.filter(item=OuterRef("pk")).counting().order_by().values("item")
        number = Subquery(votes.annotate(number=Count("pk")).values("number"))
        SentencePair.objects.filter(pk__in=pairs).update(most_votes=number)
        exclusion.settle_again(project, pairs)
        decided += len(pairs)
    if decided:
        audit.record(Act.DECIDED_WITH_VOTES, by=by, on=project, pairs=decided)
    return decided


@transaction.atomic
def adjudicate(pair: SentencePair, *, by: User, label: int | None, note: str = "") -> Adjudication:
    """Record an expert decision on a pair: the place of an outcome, None if it is unclear.

    The latest decision is in force; earlier ones stay on record. It changes no consensus and no
    figure about annotators. Raises Refused for a pair that is kept or not decided, for a label that
    is no outcome, and where votes decide no label.
    """
    projects.lock(pair.project)
    scheme = pair.project.scheme
    if not scheme.decides:
        raise Refused(_("In this project no pair has one label, so there is none to decide."))
    if label is not None and not 0 <= label < len(scheme.outcomes):
        raise Refused(_("The label is not one of this project."))
    # Deciding and reopening a pair take these locks too.
    list(Judgment.objects.filter(item=pair).order_by("number").select_for_update(of=("self",)))
    if not Consensus.objects.filter(pair=pair, kept=False).exists():
        raise Refused(_("Only decided pairs on which too few people agree can be adjudicated."))
    audit.record(Act.ADJUDICATED, by=by, on=pair, label=label)
    return Adjudication.objects.create(pair=pair, by=by, label=label, note=note.strip())


def differences(project: Project) -> Iterator[Difference]:
    """Yield all pairs whose consensus differs, in key order, from one streamed database query.

    A pair also differs if it has all answers but no consensus, and if it has a consensus although
    answers are missing or it is a gold pair.
    """
    protocol = protocols.of_project(project)
    answers = Q(slots__excluded_by__isnull=True, slots__superseded_by__isnull=True)
    counts = {
        f"answers{label}": Count("slots", filter=answers & Q(slots__label=label))
        for label in range(protocol.scheme.size)
    }
    consensus = (
        *("consensus", "consensus__tally", "consensus__first_tally"),
        *("consensus__label", "consensus__kept"),
    )
    columns = ("pk", "public_id", "gold_label", "most_votes", *consensus, *counts)
    rows = SentencePair.objects.filter(project=project).order_by("pk").annotate(**counts)
    labels_by_pair = _labels_by_time(project) if protocol.asks_more else {}
    for key, pair, gold_label, most_votes, *rest in rows.values_list(*columns).iterator(
        ROWS_AT_ONCE
    ):
        has_consensus, tally, first, label, kept, *label_counts = rest
        stored, right = None, None
        if has_consensus:
            stored = Verdict(tuple(tally), label, kept, tuple(first) if first else None)
        if gold_label is None:
            labels = labels_by_pair.get(key)
            right = _right(label_counts, labels, protocol.closed_at(most_votes))
        if stored != right:
            yield Difference(key, pair, stored, right)


@transaction.atomic
def repair(project: Project, pairs: Collection[int]) -> None:
    """Recompute the consensus of pairs, by key; deletes and adds open slots as needed."""
    projects.lock(project)
    pairs_found = SentencePair.objects.filter(project=project, pk__in=pairs)
    Consensus.objects.filter(pair__in=pairs_found.filter(gold_label__isnull=False)).delete()
    study_pairs = pairs_found.filter(gold_label=None).order_by("pk")
    exclusion.settle_again(project, list(study_pairs.values_list("pk", flat=True)))


@transaction.atomic
def fit_model(project: Project, *, by: User | None) -> int:
    """Fit the model of annotators to the answers to all decided pairs, and store its labels.

    They change no consensus. Returns the number of pairs. Raises Refused if none is decided, or if
    votes do not decide labels.
    """
    if not project.scheme.decides:
        raise Refused(_("The annotator model needs labels that votes decide."))
    projects.lock(project)
    answers = study_rows.outcomes_of_decided(project)
    labels = likeliest(answers, len(project.scheme.outcomes))
    if not labels:
        raise Refused(_("No pair is decided yet."))
    stored = [(label, share, pair) for pair, (label, share) in labels.items()]
    with connection.cursor() as cursor:
        cursor.executemany(STORE_MODEL_LABEL, stored)
    audit.record(Act.MODEL_FITTED, by=by, on=project, pairs=len(stored))
    return len(stored)


def _labels_by_time(project: Project) -> dict[int, list[int | None]]:
    """Return the labels that count, in order of time, of pairs with more than the first answers."""
    counting = Judgment.objects.filter(project=project).counting()
    pairs = counting.order_by().values("item").annotate(answers=Count("pk"))
    pairs = pairs.filter(answers__gt=project.judgments_per_pair)
    rows = counting.filter(item__in=pairs.values("item")).order_by("item", "submitted_at", "pk")
    by_pair = groupby(rows.values_list("item", "label"), key=itemgetter(0))
    return {pair: [label for _, label in answers] for pair, answers in by_pair}


def _right(
    tally: Sequence[int], labels: Sequence[int | None] | None, protocol: Protocol
) -> Verdict | None:
    """Return the verdict of a tally; of `labels` by time, if more people were asked."""
    if labels is None:
        decision, first = decide_tally(tally, protocol), None
    else:
        settled = settle((Answer(n, label) for n, label in enumerate(labels)), protocol)
        decision, first = settled.decision, settled.first_tally
    if not decision.decided:
        return None
    return Verdict(decision.tally, decision.majority, decision.kept, first)


def _lock_consensus(project: Project, keys: Sequence[int], *, kept: bool) -> list[Consensus]:
    """Return the consensus of the pairs; slots are locked first, as when work is claimed."""
    slots = Judgment.objects.filter(item__in=keys).order_by("item", "number")
    list(slots.select_for_update(of=("self",)).values_list("pk"))
    # Check again: another manager may have reopened some of them during the wait.
    unchanged = reopenable_pairs(project, kept=kept).filter(pk__in=keys)
    list(unchanged.order_by("pk").select_for_update(of=("self",), no_key=True).values_list("pk"))
    consensus = Consensus.objects.filter(pair__in=unchanged.values("pk"))
    return list(consensus.select_related("pair").order_by("pair"))


def _close_round(decided: Sequence[Consensus], *, by: User, because: JudgingModel | None) -> None:
    """Record the result of the round. Deleting the consensus makes the judgments writable."""
    pairs = [consensus.pair_id for consensus in decided]
    reopened = Reopening.objects.filter(pair__in=pairs).order_by().values_list("pair")
    earlier_rounds = dict(reopened.annotate(Count("pk")))
    Reopening.objects.bulk_create(
        Reopening(
            pair_id=consensus.pair_id,
            number=earlier_rounds.get(consensus.pair_id, 0) + 2,
            by=by,
            because=because,
            tally=consensus.tally,
            label=consensus.label,
            decided_at=consensus.decided_at,
        )
        for consensus in decided
    )
    Consensus.objects.filter(pair__in=pairs).delete()
    latest = Reopening.objects.filter(pair=OuterRef("item")).order_by("-number").values("pk")[:1]
    superseded = Judgment.objects.filter(item__in=pairs, superseded_by=None)
    superseded.update(superseded_by=Subquery(latest))


def _open_round(project: Project, pairs: Sequence[SentencePair]) -> list[int | None]:
    """Create the slots of a new round. Returns their queue keys."""
    slots_per_pair, now = project.judgments_per_pair, timezone.now()
    SentencePair.objects.filter(pk__in=[pair.pk for pair in pairs]).update(
        slot_count=F("slot_count") + slots_per_pair, set_aside_at=None, most_votes=None
    )
    new_slots = []
    for ahead, pair in enumerate(pairs):
        numbers = range(pair.slot_count + 1, pair.slot_count + slots_per_pair + 1)
        slots = [
            Slot(project=project, kind=Judgment.KIND, item=pair, number=number)
            for number in numbers
        ]
        queue.give_keys(project, pair, slots, now=now, ahead=ahead)
        new_slots += slots
    Slot.objects.bulk_create(new_slots, batch_size=2000)
    return [slot.queue_key for slot in new_slots]
