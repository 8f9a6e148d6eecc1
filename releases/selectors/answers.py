"""The answers that a release holds: those that counted on its pairs when it was frozen."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from annotation.models import Judgment, Project
from annotation.quality.selectors import exclusion
from annotation.stats.replacements import Slot, settle
from common.public_ids import Written
from releases.dataset.batches import batches
from releases.dataset.rows import JudgmentRow
from releases.models import Example, Pseudonym, Release

# Pairs whose answers are in memory at a time.
AT_ONCE = 1000
CHUNK = 5000
# Of an answer: the keys of its pair and of the annotator, its label, and the seconds it took.
Told = tuple[int, int, int, float | None]
TOLD = ("pair_id", "annotator_id", "label", "seconds")


class _Pair(NamedTuple):
    """A judged pair of a release, by its key, and how many answers its votes are."""

    key: int
    public_id: str
    number: int


class _Answer(NamedTuple):
    """Columns of an answer of which it has to be found out whether it counted."""

    pair_id: int
    annotator_id: int
    label: int
    seconds: float | None
    id: int
    replaces_id: int | None
    submitted_at: datetime
    superseded_by__number: int | None
    superseded_by__created_at: datetime | None


def of(release: Release) -> Iterator[JudgmentRow]:
    """Pair by pair in the order in which they came into the project, under its pseudonyms.

    A few statements for each thousand pairs; memory does not grow with their number.
    """
    people = {
        person: (name, simulated)
        for person, name, simulated in Pseudonym.objects.filter(release=release).values_list(
            "annotator_id", "name", "annotator__is_simulated"
        )
    }
    for some in batches(_pairs(release), AT_ONCE):
        ids = {pair.key: pair.public_id for pair in some}
        for key, person, label, seconds in _counted(release, some):
            name, simulated = people[person]
            yield JudgmentRow(ids[key], name, label, seconds, simulated)


def _pairs(release: Release) -> Iterator[_Pair]:
    """The judged pairs of a release, by key."""
    judged = release.examples.filter(origin=Example.Origin.JUDGED).order_by("pair_id")
    columns = ("pair_id", Written("public_id"), Cast("votes", TextField()))
    for key, public_id, votes in judged.values_list(*columns).iterator(CHUNK):
        yield _Pair(key, public_id, _sum(votes))


@cache
def _sum(votes: str) -> int:
    return sum(json.loads(votes))


def _counted(release: Release, pairs: Sequence[_Pair]) -> list[Told]:
    """The answers on these pairs, which are ordered by key, that counted."""
    answers = _answers(release.project).filter(pair__gte=pairs[0].key, pair__lte=pairs[-1].key)
    given = list(answers.values_list(*TOLD))
    numbers = {pair.key: pair.number for pair in pairs}
    found = Counter(map(itemgetter(0), given))
    if found == numbers:  # What counted was given, so where the two are as many, they are the same.
        return given
    others = {key: number for key, number in numbers.items() if found[key] != number}
    plain = [answer for answer in given if answer[0] in numbers and answer[0] not in others]
    return sorted([*plain, *_settled(release, others)], key=itemgetter(0))


def _settled(release: Release, numbers: Mapping[int, int]) -> Iterator[Told]:
    """The same of pairs that have been given further answers, at any time."""
    moment = release.frozen_at or release.created_at
    until = exclusion.until(release.project, moment)
    answers = _answers(release.project).filter(pair__in=list(numbers))
    rows = map(_Answer._make, answers.values_list(*_Answer._fields))
    for key, given in groupby(rows, key=itemgetter(0)):
        counting = _not_out(_in_force(list(given), moment), until)
        for row in _first(counting, numbers[key]):
            yield key, row.annotator_id, row.label, row.seconds


def _answers(project: Project) -> QuerySet[Judgment]:
    """In the order of the file."""
    given = Judgment.objects.filter(project=project, label__isnull=False)
    return given.order_by("pair_id", "slot")


def _in_force(given: list[_Answer], moment: datetime) -> list[_Answer]:
    """Those of the round that was the latest at a moment: the first that was over after it."""
    ends = {row.superseded_by__number: row.superseded_by__created_at for row in given}
    later = [number for number, at in ends.items() if number and at and at > moment]
    number = min(later, default=None)
    return [row for row in given if row.superseded_by__number == number]


def _not_out(given: list[_Answer], until: Mapping[int, datetime]) -> list[_Answer]:
    """Those answers that counted, by whose were held out, and until when."""
    slots = [
        Slot(row.id, row.replaces_id, is_out=_is_up_to(row, until.get(row.annotator_id)))
        for row in given
    ]
    counted = set(settle(slots).counting)
    return [row for row in given if row.id in counted]


def _is_up_to(row: _Answer, moment: datetime | None) -> bool:
    return moment is not None and row.submitted_at <= moment


def _first(counted: list[_Answer], number: int) -> list[_Answer]:
    """A pair that was decided early may have got further answers since it was released."""
    first = sorted(counted, key=lambda row: (row.submitted_at, row.id))[:number]
    return [row for row in counted if row in first]
