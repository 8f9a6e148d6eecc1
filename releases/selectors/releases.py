"""The folder, settings and frozen rows of a release, in the form that writers need."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import CharField, JSONField, TextField, UUIDField, Value
from django.db.models.functions import Cast, NullIf

from annotation.models import Adjudication, ModelJudgment, Reopening
from common.bulk import Written
from releases.dataset.manifest import ReleaseFacts
from releases.dataset.rows import (
    AdjudicationRow,
    JudgmentRow,
    ModelJudgmentRow,
    ReleasedPair,
    SentenceRow,
)
from releases.dataset.settings import ReleaseSettings
from releases.dataset.writers import Content
from releases.models import Example, Release
from releases.selectors import answers, sentences

CHUNK = 5000
# The names in Example of the fields of ReleasedPair; any other has the same name in both.
_NAMES = {
    "id": "public_id",
    "sentence1": "sentence1_ref",
    "sentence2": "sentence2_ref",
    "text1": "sentence1",
    "text2": "sentence2",
}
EXAMPLE_COLUMNS = tuple(_NAMES.get(name, name) for name in ReleasedPair._fields)
_VIA, _VOTES = map(ReleasedPair._fields.index, ("via", "votes"))


def folder_of(release: Release) -> Path:
    """Return the folder for the files of a release."""
    return Path(settings.RELEASES_DIR) / str(release.project.public_id) / release.version


def settings_of(release: Release) -> ReleaseSettings:
    """Return the settings that the release was planned with."""
    return ReleaseSettings.from_dict(release.settings)


def facts_of(release: Release) -> ReleaseFacts:
    """Return the facts that the rows do not contain, as they were at freezing."""
    return ReleaseFacts(
        created=frozen_at(release).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), **release.facts
    )


def frozen_at(release: Release) -> datetime:
    """Return when the release was frozen. Raises ValueError if it is not frozen."""
    if release.frozen_at is None:
        raise ValueError(f"{release} is not frozen")
    return release.frozen_at


def content_of(release: Release) -> Content:
    """Return the content of all files, read from the frozen rows; it can be read only once."""
    return Content(
        pairs=pairs_of(release),
        sentences=sentences_of(release),
        judgments=judgments_of(release),
        adjudications=adjudications_of(release),
        model_judgments=model_judgments_of(release),
        reopened=_reopened(release),
        **release.left_out,
    )


def pairs_of(release: Release) -> Iterator[ReleasedPair]:
    """Yield the pairs with their texts, in the order of the files.

    Positions start at 1. Rows are queried in chunks: Postgres has no statistics on rows that were
    just frozen, and would sort all of them.
    """
    rows = release.examples.order_by("position").values_list(*map(_read, EXAMPLE_COLUMNS))
    first = 1
    while some := list(rows.filter(position__gte=first, position__lt=first + CHUNK)):
        for row in some:
            cells = list(row)
            cells[_VIA], cells[_VOTES] = _via(cells[_VIA]), _votes(cells[_VOTES])
            yield ReleasedPair._make(cells)
        first += CHUNK


def _read(column: str) -> Any:
    """Return what to select: ids and JSON as text, because `via` is mostly empty and votes repeat.

    A text that may be blank is None in ReleasedPair.
    """
    field = Example._meta.get_field(column)
    if isinstance(field, UUIDField):
        return Written(column)
    if isinstance(field, JSONField):
        return Cast(column, TextField())
    return NullIf(column, Value("")) if isinstance(field, CharField) and field.blank else column


def _via(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


@cache
def _votes(text: str | None) -> tuple[int, int] | None:
    """Return parsed votes, cached because few distinct values occur."""
    if text is None:
        return None
    against, in_favour = json.loads(text)
    return against, in_favour


def sentences_of(release: Release) -> Iterator[SentenceRow]:
    """Return the sentences of judged and recombined pairs, with all of their ancestors."""
    return sentences.of(release)


def judgments_of(release: Release) -> Iterator[JudgmentRow]:
    """Return the answers on the released pairs, under the pseudonyms of the release."""
    return answers.of(release)


def adjudications_of(release: Release) -> Iterator[AdjudicationRow]:
    """Yield the latest expert decision at freezing for each pair that is not kept."""
    made = Adjudication.objects.filter(
        pair__examples__release=release,
        pair__examples__kept=False,
        created_at__lte=frozen_at(release),
    )
    rows = made.order_by("pair_id", "id").values_list(Written("pair__public_id"), "label")
    for pair, given in groupby(rows.iterator(CHUNK), key=itemgetter(0)):
        *_, (_, label) = given
        yield AdjudicationRow(pair, label)


def model_judgments_of(release: Release) -> Iterator[ModelJudgmentRow]:
    """Yield the labels that models added before freezing gave to the judged pairs."""
    labels = ModelJudgment.objects.filter(
        model__project=release.project,
        model__created_at__lte=frozen_at(release),
        pair__examples__release=release,
    )
    columns = ("model__name", "model__revision", "label", "score")
    rows = labels.order_by("model_id", "pair_id").values_list(Written("pair__public_id"), *columns)
    for pair, model, revision, label, score in rows.iterator(CHUNK):
        yield ModelJudgmentRow(pair, model, revision, label, score)


def _reopened(release: Release) -> int:
    """Count the judged pairs whose released answers are not from the first round."""
    again = Reopening.objects.filter(
        pair__examples__release=release, created_at__lte=frozen_at(release)
    )
    return again.values("pair").distinct().count()
