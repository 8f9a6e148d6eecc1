"""The rows of a project as the pure planning of a release wants them."""

import uuid
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from itertools import groupby
from sys import intern
from typing import NamedTuple

from django.db.models import FilteredRelation, Q, QuerySet

from accounts.models import User
from annotation.dataset.rows import CandidateRow, JudgmentRow, PairRow, SentenceRow
from annotation.models import (
    Consensus,
    Correction,
    Example,
    Project,
    Pseudonym,
    Release,
    SentencePair,
)
from annotation.selectors import held_out
from annotation.selectors.dashboard import rows as counting
from annotation.selectors.public_ids import Written
from annotation.stats.replacements import Slot, settle
from generation.models import Candidate, GenerationRun, Sentence

CHUNK = 5000
_ORIGIN = (Written("candidate__sentence__public_id"),)
_RELEASED = {Correction.Action.ACCEPT.value, Correction.Action.FIX.value}


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
    superseded_by__number: int | None
    superseded_by__created_at: datetime | None


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
        Written("public_id"), Written("sentence__public_id"), "text", "run__method"
    ).iterator(CHUNK):
        yield CandidateRow(intern(public_id), intern(source), text, intern(method))


def sentences(project: Project) -> Iterator[SentenceRow]:
    """The sentences of the project: final texts of its pairs, and everything they were made from.

    A sentence comes after the one that it was rewritten from, so that its source is known by then.
    """
    sources: dict[str, str] = {}
    action = FilteredRelation(
        "candidate__corrections", condition=Q(candidate__corrections__project=project)
    )
    columns = (Written("public_id"), "text", "group", *_ORIGIN, "candidate__run__method")
    rows = _sentences(project).annotate(correction=action).order_by("id")
    for public_id, text, group, origin, method, corrected in rows.values_list(
        *columns, "correction__action"
    ).iterator(CHUNK):
        key = intern(public_id)
        sources[key] = source = sources.get(origin, key)
        yield SentenceRow(
            id=key,
            text=text,
            source=source,
            rewritten_from=origin and intern(origin),
            method=method and intern(method),
            correction=corrected if corrected in _RELEASED else None,
            group=group or None,
        )


def with_origins(project: Project, wanted: set[str]) -> set[str]:
    """These sentences and all that they were made from, by id. The set itself grows."""
    rows = _sentences(project).filter(candidate__isnull=False).order_by("-id")
    # What a sentence was rewritten from has a lower key, so it comes after it.
    for key, origin in rows.values_list(Written("public_id"), *_ORIGIN).iterator(CHUNK):
        if key in wanted:
            wanted.add(origin)
    return wanted


def judgments(release: Release, pairs: Iterable[str]) -> Iterator[JudgmentRow]:
    """The answers on the released pairs that counted when it was frozen, under its pseudonyms."""
    released, asked = set(pairs), _asked(release)
    names = dict(Pseudonym.objects.filter(release=release).values_list("annotator_id", "name"))
    moment = release.frozen_at or release.created_at
    until = held_out.until(release.project, moment)
    answers = counting.slots(release.project).exclude(label=None).order_by("pair_id", "slot")
    columns = answers.values_list(*_Answer._fields).iterator(CHUNK)
    for pair, given in groupby(map(_Answer._make, columns), lambda row: str(row.pair__public_id)):
        if pair not in released:
            continue
        counted = _counted(_in_force(list(given), moment), until)
        for row in _first(counted, asked[pair]):
            name = names[row.annotator_id]
            yield JudgmentRow(pair, name, row.label, row.seconds, row.annotator__is_simulated)


def judges(project: Project) -> QuerySet[User]:
    """Everybody whose answer counts on a decided pair."""
    judged = counting.counted(project).filter(pair__consensus__isnull=False)
    return User.objects.filter(pk__in=judged.values("annotator")).order_by("pk")


def runs(project: Project) -> QuerySet[GenerationRun]:
    """The runs whose candidates have entered the project, in order."""
    return project.runs.select_related("corpus").order_by("id")


def _asked(release: Release) -> dict[str, int]:
    """How many answers counted on each judged pair."""
    judged = release.examples.filter(origin=Example.Origin.JUDGED)
    rows = judged.values_list("public_id", "votes").iterator(CHUNK)
    return {str(public_id): sum(votes or ()) for public_id, votes in rows}


def _in_force(given: list[_Answer], moment: datetime) -> list[_Answer]:
    """Those of the round that was the latest at a moment: the first that was over after it."""
    ends = {row.superseded_by__number: row.superseded_by__created_at for row in given}
    later = [number for number, at in ends.items() if number and at and at > moment]
    number = min(later, default=None)
    return [row for row in given if row.superseded_by__number == number]


def _first(counted: list[_Answer], number: int) -> list[_Answer]:
    """A pair that was decided early may have got further answers since it was released."""
    first = sorted(counted, key=lambda row: (row.submitted_at, row.id))[:number]
    return [row for row in counted if row in first]


def _counted(given: list[_Answer], until: Mapping[int, datetime]) -> list[_Answer]:
    """Those answers that counted, by whose were held out, and until when."""
    slots = [
        Slot(row.id, row.replaces_id, is_out=_is_up_to(row, until.get(row.annotator_id)))
        for row in given
    ]
    counted = set(settle(slots).counting)
    return [row for row in given if row.id in counted]


def _is_up_to(row: _Answer, moment: datetime | None) -> bool:
    return moment is not None and row.submitted_at <= moment


def _sentences(project: Project) -> QuerySet[Sentence]:
    """Sources of the candidates and final texts of the pairs; a lower key was made earlier."""
    rewritten = Candidate.objects.filter(batch__intakes__project=project)
    final = SentencePair.objects.filter(project=project, known_label=None)
    return Sentence.objects.filter(
        Q(pk__in=rewritten.values("sentence")) | Q(pk__in=final.values("sentence2"))
    )
