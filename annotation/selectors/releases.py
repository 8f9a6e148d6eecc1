"""Where the files of a release are, and its frozen rows as the writers want them."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from django.conf import settings

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
from annotation.models import Example, Release
from annotation.selectors import dataset


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
    """The plan, out of the rows in which it was frozen."""
    pairs, silver, texts = [], [], {}
    for example in release.examples.order_by("position").iterator():
        texts[str(example.sentence1_ref)] = example.sentence1
        texts[str(example.sentence2_ref)] = example.sentence2
        if example.origin == Example.Origin.SILVER:
            silver.append(_silver(example))
        else:
            pairs.append(_pair(example))
    return ReleasePlan(tuple(pairs), tuple(silver), texts, **release.left_out)


def sentences_of(release: Release, planned: ReleasePlan) -> Iterator[SentenceRow]:
    """The sentences of the released pairs and all those that they were made from."""
    rows = {row.id: row for row in dataset.sentences(release.project)}
    wanted: set[str] = set()
    for pair in planned.pairs:
        for sentence in (pair.sentence1, pair.sentence2):
            wanted.update(_ancestry(sentence, rows))
    return (row for row in rows.values() if row.id in wanted)


def judgments_of(release: Release, planned: ReleasePlan) -> Iterator[JudgmentRow]:
    """The answers on the released pairs, under the pseudonyms of the release."""
    return dataset.judgments(release, {pair.id for pair in planned.pairs})


def _ancestry(sentence: str, rows: Mapping[str, SentenceRow]) -> Iterator[str]:
    """A sentence, what it was rewritten from, and so on back to its source."""
    origin: str | None = sentence
    while origin is not None:
        yield origin
        origin = rows[origin].rewritten_from


def _pair(example: Example) -> ReleasedPair:
    return ReleasedPair(
        id=str(example.public_id),
        sentence1=str(example.sentence1_ref),
        sentence2=str(example.sentence2_ref),
        origin=cast(Origin, example.origin),
        via=tuple(example.via),
        method=example.method,
        votes=tuple(example.votes) if example.votes is not None else None,
        label=example.label,
        kept=example.kept,
        subset=cast(Subset, example.subset) or None,
        split=cast(Split, example.split) or None,
    )


def _silver(example: Example) -> SilverPair:
    return SilverPair(
        id=str(example.public_id),
        sentence1=str(example.sentence1_ref),
        sentence2=str(example.sentence2_ref),
        method=example.method,
        noisy_label=int(bool(example.label)),
        split=cast(Split, example.split),
    )
