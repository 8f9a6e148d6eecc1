"""Where the files of a release are, and its frozen rows as the writers want them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import cast

from django.conf import settings
from django.db.models import TextField
from django.db.models.functions import Cast

from annotation.models import Adjudication, GuestJudgment, Reopening
from common.public_ids import Written
from releases.dataset.content import AdjudicationRow, Content, Entry, GuestRow
from releases.dataset.manifest import ReleaseFacts
from releases.dataset.rows import (
    JudgmentRow,
    Origin,
    ReleasedPair,
    SentenceRow,
    SilverPair,
    Split,
    Subset,
)
from releases.dataset.settings import ReleaseSettings
from releases.models import Example, Release
from releases.selectors import answers, sentences

CHUNK = 5000


# Ids and JSON come as text: most rows have one of a few votes, and are composed of nothing.
_COLUMNS = (
    Written("public_id"),
    Written("sentence1_ref"),
    Written("sentence2_ref"),
    "origin",
    Cast("via", TextField()),
    "method",
    Cast("votes", TextField()),
    "label",
    "kept",
    "subset",
    "split",
    "sentence1",
    "sentence2",
)


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
    first = 1
    while some := list(rows.filter(position__gte=first, position__lt=first + CHUNK)):
        for *pair, sentence1, sentence2 in some:
            yield Entry(_pair(*pair), sentence1, sentence2)
        first += CHUNK


def sentences_of(release: Release) -> Iterator[SentenceRow]:
    """The sentences of the judged and recombined pairs and all those that they were made from."""
    return sentences.of(release)


def judgments_of(release: Release) -> Iterator[JudgmentRow]:
    """The answers on the released pairs, under the pseudonyms of the release."""
    return answers.of(release)


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


def _pair(
    key: str,
    sentence1: str,
    sentence2: str,
    origin: str,
    via: str,
    method: str,
    votes: str | None,
    label: int | None,
    kept: bool,
    subset: str,
    split: str,
) -> ReleasedPair | SilverPair:
    """Of the columns of a frozen row."""
    if origin == Example.Origin.SILVER:
        return SilverPair(key, sentence1, sentence2, method, int(bool(label)), cast(Split, split))
    return ReleasedPair(
        key,
        sentence1,
        sentence2,
        cast(Origin, origin),
        _via(via),
        method,
        _votes(votes),
        label,
        kept,
        cast(Subset, subset) or None,
        cast(Split, split) or None,
    )


def _via(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


@cache
def _votes(text: str | None) -> tuple[int, int] | None:
    """One of the few that there are."""
    if text is None:
        return None
    against, in_favour = json.loads(text)
    return against, in_favour
