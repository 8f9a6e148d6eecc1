"""Recomputes every consensus from the answers, and repairs stored ones that differ."""

import uuid
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db import transaction
from django.db.models import Count, Q, QuerySet

from annotation.models import Consensus, Project, SentencePair
from annotation.projects import protocols
from annotation.projects.services import projects
from annotation.quality.services import exclusion
from annotation.stats.consensus import Protocol, decide_tally

CHUNK = 5000


@dataclass(frozen=True, slots=True)
class Verdict:
    """A stored or recomputed consensus; the fields are columns of Consensus."""

    tally: tuple[int, ...]
    label: int | None
    kept: bool


@dataclass(frozen=True, slots=True)
class Difference:
    """A pair whose stored consensus differs from its answers; None means no consensus."""

    key: int
    pair: uuid.UUID
    stored: Verdict | None
    right: Verdict | None


def check(project: Project) -> Iterator[Difference]:
    """Yield all pairs that differ, in key order, from one streamed database query.

    A pair also differs if it has all answers but no consensus, and if it has a consensus although
    answers are missing or it is a gold pair.
    """
    protocol = protocols.of(project)
    rows = SentencePair.objects.filter(project=project).order_by("pk")
    for key, pair, known, decided, tally, label, kept, *counts in _counted(rows, protocol):
        stored = Verdict(tuple(tally), label, kept) if decided else None
        right = None if known is not None else _right(tuple(counts), protocol)
        if stored != right:
            yield Difference(key, pair, stored, right)


@transaction.atomic
def repair(project: Project, pairs: Collection[int]) -> None:
    """Recompute the consensus of pairs, by key; deletes and adds open slots as needed."""
    projects.lock(project)
    found = SentencePair.objects.filter(project=project, pk__in=pairs)
    Consensus.objects.filter(pair__in=found.filter(gold_label__isnull=False)).delete()
    study = found.filter(gold_label=None).order_by("pk")
    exclusion.settle_again(project, list(study.values_list("pk", flat=True)))


def _counted(pairs: QuerySet[SentencePair], protocol: Protocol) -> Iterator[tuple[Any, ...]]:
    """Yield each pair with its stored consensus and its counting answers by label from 0."""
    counts = {
        f"answers{label}": Count(
            "slots",
            filter=Q(
                slots__label=label,
                slots__excluded_by__isnull=True,
                slots__superseded_by__isnull=True,
            ),
        )
        for label in range(protocol.max_label + 1)
    }
    stored = ("consensus", "consensus__tally", "consensus__label", "consensus__kept")
    columns = ("pk", "public_id", "gold_label", *stored, *counts)
    return pairs.annotate(**counts).values_list(*columns).iterator(CHUNK)


@cache
def _right(tally: tuple[int, ...], protocol: Protocol) -> Verdict | None:
    decision = decide_tally(tally, protocol)
    if not decision.decided:
        return None
    return Verdict(decision.tally, decision.majority, decision.kept)
