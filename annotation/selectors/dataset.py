"""The rows of a project as the pure planning of a release wants them."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import Q, QuerySet

from accounts.models import User
from annotation.dataset.rows import CandidateRow, JudgmentRow, PairRow, SentenceRow
from annotation.models import Consensus, Correction, Project, Pseudonym, Release
from annotation.selectors import held_out
from annotation.selectors.dashboard import rows as counting
from annotation.stats.replacements import Slot, settle
from generation.models import Candidate, GenerationRun, Sentence

CHUNK = 5000


class _Answer(NamedTuple):
    """Columns of an answer."""

    id: int
    replaces_id: int | None
    pair__public_id: uuid.UUID
    annotator_id: int
    label: int
    seconds: float | None
    submitted_at: datetime
    annotator__is_simulated: bool


def decided_pairs(project: Project) -> Iterator[PairRow]:
    """Every pair that is decided, with its judgments counted by label."""
    rows = Consensus.objects.filter(pair__project=project).order_by("pair_id")
    for public_id, first, second, method, tally in rows.values_list(
        "pair__public_id",
        "pair__sentence1__public_id",
        "pair__sentence2__public_id",
        "pair__candidate__run__method",
        "tally",
    ).iterator(CHUNK):
        yield PairRow(str(public_id), str(first), str(second), method, tuple(tally))


def candidates(project: Project) -> Iterator[CandidateRow]:
    """Every candidate that has entered the project, as the machine gave it."""
    rows = Candidate.objects.filter(batch__intakes__project=project).order_by("id")
    for public_id, source, text, method in rows.values_list(
        "public_id", "sentence__public_id", "text", "run__method"
    ).iterator(CHUNK):
        yield CandidateRow(str(public_id), str(source), text, method)


def sentences(project: Project) -> Iterator[SentenceRow]:
    """The sentences of the project: final texts of its pairs, and everything they were made from.

    A sentence comes after the one that it was rewritten from, so that its source is known by then.
    """
    corrected = dict(
        Correction.objects.filter(project=project, action__isnull=False)
        .exclude(action=Correction.Action.REJECT)
        .values_list("candidate_id", "action")
        .iterator(CHUNK)
    )
    sources: dict[uuid.UUID, str] = {}
    for row in _sentence_columns(project):
        public_id, text, group, candidate, origin, method = row
        sources[public_id] = sources.get(origin, str(public_id))
        yield SentenceRow(
            id=str(public_id),
            text=text,
            source=sources[public_id],
            rewritten_from=str(origin) if origin else None,
            method=method,
            correction=corrected.get(candidate),
            group=group or None,
        )


def judgments(release: Release, pairs: Iterable[str]) -> Iterator[JudgmentRow]:
    """The answers on the released pairs that counted when it was frozen, under its pseudonyms."""
    released = set(pairs)
    names = dict(Pseudonym.objects.filter(release=release).values_list("annotator_id", "name"))
    until = held_out.until(release.project, release.frozen_at or release.created_at)
    answers = counting.slots(release.project).exclude(label=None).order_by("pair_id", "slot")
    columns = answers.values_list(*_Answer._fields).iterator(CHUNK)
    for pair, given in groupby(map(_Answer._make, columns), lambda row: str(row.pair__public_id)):
        if pair not in released:
            continue
        for row in _counted(list(given), until):
            name = names[row.annotator_id]
            yield JudgmentRow(pair, name, row.label, row.seconds, row.annotator__is_simulated)


def judges(project: Project) -> QuerySet[User]:
    """Everybody whose answer counts on a decided pair."""
    judged = counting.counted(project).filter(pair__consensus__isnull=False)
    return User.objects.filter(pk__in=judged.values("annotator")).order_by("pk")


def runs(project: Project) -> QuerySet[GenerationRun]:
    """The runs whose candidates have entered the project, in order."""
    return project.runs.select_related("corpus").order_by("id")


def _counted(given: list[_Answer], until: Mapping[int, datetime]) -> list[_Answer]:
    """Those answers of a pair that counted, by whose were held out, and until when."""
    slots = [
        Slot(row.id, row.replaces_id, is_out=_is_up_to(row, until.get(row.annotator_id)))
        for row in given
    ]
    counted = set(settle(slots).counting)
    return [row for row in given if row.id in counted]


def _is_up_to(row: _Answer, moment: datetime | None) -> bool:
    return moment is not None and row.submitted_at <= moment


def _sentence_columns(project: Project) -> Iterator[tuple[Any, ...]]:
    """Sources of the candidates and final texts of the pairs; a lower key was made earlier."""
    of_project = Q(candidates__batch__intakes__project=project) | Q(
        pairs_as_second__project=project, pairs_as_second__known_label=None
    )
    return (
        Sentence.objects.filter(pk__in=Sentence.objects.filter(of_project).values("pk"))
        .order_by("id")
        .values_list(
            "public_id",
            "text",
            "group",
            "candidate_id",
            "candidate__sentence__public_id",
            "candidate__run__method",
        )
        .iterator(CHUNK)
    )
