"""Selects the answers of a release: those that counted on its pairs when it was frozen."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db.models import TextField
from django.db.models.functions import Cast

from annotation.models import Judgment, Project
from annotation.models.slots import SlotQuerySet
from annotation.quality.selectors import interventions
from common.public_ids import Written
from releases.dataset.rows import JudgmentRow, batches
from releases.models import Example, Pseudonym, Release

# The number of pairs whose answers are in memory together.
AT_ONCE = 1000
CHUNK = 5000
# Of an answer: the keys of its pair and of the annotator, its label and its seconds.
Counted = tuple[int, int, int, float | None]
COUNTED = ("item_id", "annotator_id", "label", "seconds")


class _Pair(NamedTuple):
    """A judged pair of a release: its key, its public id and its number of votes."""

    key: int
    public_id: str
    number: int


class _Answer(NamedTuple):
    """The columns that decide whether an answer counted."""

    item_id: int
    annotator_id: int
    label: int
    seconds: float | None
    id: int
    submitted_at: datetime
    superseded_by__number: int | None
    superseded_by__created_at: datetime | None


def of(release: Release) -> Iterator[JudgmentRow]:
    """Yield the answers under their pseudonyms, ordered by pair.

    Runs a few queries per thousand pairs; memory use does not grow with the number of pairs.
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
    """Yield the judged pairs of a release, ordered by key."""
    judged = release.examples.filter(origin=Example.Origin.JUDGED).order_by("pair_id")
    columns = ("pair_id", Written("public_id"), Cast("votes", TextField()))
    for key, public_id, votes in judged.values_list(*columns).iterator(CHUNK):
        yield _Pair(key, public_id, _sum(votes))


@cache
def _sum(votes: str) -> int:
    return sum(json.loads(votes))


def _counted(release: Release, pairs: Sequence[_Pair]) -> list[Counted]:
    """Return the answers that counted on these pairs, which are ordered by key."""
    answers = _answers(release.project).filter(item__gte=pairs[0].key, item__lte=pairs[-1].key)
    given = list(answers.values_list(*COUNTED))
    numbers = {pair.key: pair.number for pair in pairs}
    found = Counter(map(itemgetter(0), given))
    if found == numbers:  # Answers that counted are a subset, so equal numbers mean equal sets.
        return given
    others = {key: number for key, number in numbers.items() if found[key] != number}
    plain = [answer for answer in given if answer[0] in numbers and answer[0] not in others]
    return sorted([*plain, *_settled(release, others)], key=itemgetter(0))


def _settled(release: Release, numbers: Mapping[int, int]) -> Iterator[Counted]:
    """Yield the answers that counted on pairs that also have others, given at any time."""
    moment = release.frozen_at or release.created_at
    until = interventions.excluded_until(release.project, moment)
    answers = _answers(release.project).filter(item__in=list(numbers))
    rows = map(_Answer._make, answers.values_list(*_Answer._fields))
    for key, given in groupby(rows, key=itemgetter(0)):
        in_force = _in_force(list(given), moment)
        counting = [row for row in in_force if not _is_up_to(row, until.get(row.annotator_id))]
        for row in _first(counting, numbers[key]):
            yield key, row.annotator_id, row.label, row.seconds


def _answers(project: Project) -> SlotQuerySet:
    """Return the answers of a project, in the order of judgments.jsonl."""
    given = Judgment.objects.filter(project=project).answered()
    return given.order_by("item_id", "number")


def _in_force(given: list[_Answer], moment: datetime) -> list[_Answer]:
    """Return the answers of the round in force at a moment: the first one superseded after it."""
    ends = {row.superseded_by__number: row.superseded_by__created_at for row in given}
    later = [number for number, at in ends.items() if number and at and at > moment]
    number = min(later, default=None)
    return [row for row in given if row.superseded_by__number == number]


def _is_up_to(row: _Answer, moment: datetime | None) -> bool:
    """Whether an answer was given before an exclusion of its annotator."""
    return moment is not None and row.submitted_at <= moment


def _first(counted: list[_Answer], number: int) -> list[_Answer]:
    """Return the first answers by time, which count; a pair may have received more since."""
    first = sorted(counted, key=lambda row: (row.submitted_at, row.id))[:number]
    return [row for row in counted if row in first]
