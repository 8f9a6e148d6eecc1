"""Where the files of a release are, and its frozen rows as the writers want them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from itertools import count, groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple, cast

from django.conf import settings
from django.db.models import F, TextField
from django.db.models.functions import Cast

from annotation.dataset.content import AdjudicationRow, Content, Entry, GuestRow
from annotation.dataset.manifest import ReleaseFacts
from annotation.dataset.plan import ReleasePlan
from annotation.dataset.rows import (
    JudgmentRow,
    Origin,
    ReleasedPair,
    SentenceRow,
    SilverPair,
    Split,
    Subset,
)
from annotation.dataset.settings import ReleaseSettings
from annotation.models import Adjudication, Example, GuestJudgment, Release, Reopening
from annotation.selectors import released_answers, released_sentences
from annotation.selectors.public_ids import Written

CHUNK = 5000


class _Example(NamedTuple):
    """Columns of a frozen row, its ids as text."""

    public_id: str
    sentence1_ref: str
    sentence2_ref: str
    sentence1: str
    sentence2: str
    origin: str
    via: str
    method: str
    votes: str | None
    label: int | None
    kept: bool
    subset: str
    split: str


# Ids and JSON come as text: most rows have one of a few votes, and are composed of nothing.
_WRITTEN: dict[str, Any] = {
    "public_id": Written("public_id"),
    "sentence1_ref": Written("sentence1_ref"),
    "sentence2_ref": Written("sentence2_ref"),
    "via": Cast("via", TextField()),
    "votes": Cast("votes", TextField()),
}
_COLUMNS = [_WRITTEN.get(name, F(name)) for name in _Example._fields]


def folder_of(release: Release) -> Path:
    """The folder in which the files of a release are kept."""
    return Path(settings.RELEASES_DIR) / str(release.project.public_id) / release.version


def settings_of(release: Release) -> ReleaseSettings:
    """The settings that the release was planned with."""
    return ReleaseSettings.from_dict(release.settings)


def facts_of(release: Release) -> ReleaseFacts:
    """What the rows do not say, as it was when they were frozen."""
    return ReleaseFacts(
        created=frozen_at(release).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), **release.facts
    )


def frozen_at(release: Release) -> datetime:
    """When it was decided what the release consists of. Raises ValueError while it is not."""
    if release.frozen_at is None:
        raise ValueError(f"{release} is not frozen")
    return release.frozen_at


def plan_of(release: Release) -> ReleasePlan:
    """The plan, out of the rows in which it was frozen: all of it in memory."""
    pairs: list[ReleasedPair] = []
    silver: list[SilverPair] = []
    texts: dict[str, str] = {}
    for entry in entries_of(release):
        pair = entry.pair
        texts |= {pair.sentence1: entry.sentence1, pair.sentence2: entry.sentence2}
        if isinstance(pair, SilverPair):
            silver.append(pair)
        else:
            pairs.append(pair)
    return ReleasePlan(tuple(pairs), tuple(silver), texts, **release.left_out)


def content_of(release: Release) -> Content:
    """Everything that stands in the files, out of its frozen rows; to be read once."""
    return Content(
        entries=entries_of(release),
        sentences=sentences_of(release),
        judgments=judgments_of(release),
        adjudications=adjudications_of(release),
        guests=guests_of(release),
        reopened=_reopened(release),
        **release.left_out,
    )


def entries_of(release: Release) -> Iterator[Entry]:
    """The pairs with their texts, in the order of the files.

    Positions are counted from 1 on. Some are asked for at a time: rows that were just frozen are
    not known to the statistics by which Postgres plans, and it would sort all of them.
    """
    rows = release.examples.order_by("position").values_list(*_COLUMNS)
    for first in count(1, CHUNK):
        some = list(rows.filter(position__gte=first, position__lt=first + CHUNK))
        for row in map(_Example._make, some):
            yield Entry(_pair(row), row.sentence1, row.sentence2)
        if len(some) < CHUNK:
            return


def sentences_of(release: Release) -> Iterator[SentenceRow]:
    """The sentences of the judged and recombined pairs and all those that they were made from."""
    return released_sentences.of(release)


def judgments_of(release: Release) -> Iterator[JudgmentRow]:
    """The answers on the released pairs, under the pseudonyms of the release."""
    return released_answers.of(release)


def adjudications_of(release: Release) -> Iterator[AdjudicationRow]:
    """What experts had said of pairs that are not kept when it was frozen: of each the latest."""
    made = Adjudication.objects.filter(
        pair__examples__release=release,
        pair__examples__kept=False,
        created_at__lte=frozen_at(release),
    )
    rows = made.order_by("pair_id", "id").values_list(Written("pair__public_id"), "label")
    for pair, given in groupby(rows.iterator(CHUNK), key=itemgetter(0)):
        *_, (_, label) = given
        yield AdjudicationRow(pair, label)


def guests_of(release: Release) -> Iterator[GuestRow]:
    """What the guests that were there when it was frozen say of its judged pairs."""
    labels = GuestJudgment.objects.filter(
        guest__project=release.project,
        guest__created_at__lte=frozen_at(release),
        pair__examples__release=release,
    )
    columns = ("guest__name", "guest__revision", "label", "score")
    rows = labels.order_by("guest_id", "pair_id").values_list(Written("pair__public_id"), *columns)
    for pair, guest, revision, label, score in rows.iterator(CHUNK):
        yield GuestRow(pair, guest, revision, label, score)


def _reopened(release: Release) -> int:
    """Judged pairs whose released answers are not those of the first panel."""
    again = Reopening.objects.filter(
        pair__examples__release=release, created_at__lte=frozen_at(release)
    )
    return again.values("pair").distinct().count()


def _pair(row: _Example) -> ReleasedPair | SilverPair:
    if row.origin == Example.Origin.SILVER:
        label = int(bool(row.label))
        split = cast(Split, row.split)
        return SilverPair(
            row.public_id, row.sentence1_ref, row.sentence2_ref, row.method, label, split
        )
    return ReleasedPair(
        id=row.public_id,
        sentence1=row.sentence1_ref,
        sentence2=row.sentence2_ref,
        origin=cast(Origin, row.origin),
        via=_via(row.via),
        method=row.method,
        votes=None if row.votes is None else _votes(row.votes),
        label=row.label,
        kept=row.kept,
        subset=cast(Subset, row.subset) or None,
        split=cast(Split, row.split) or None,
    )


def _via(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


@cache
def _votes(text: str) -> tuple[int, int]:
    against, in_favour = json.loads(text)
    return against, in_favour
