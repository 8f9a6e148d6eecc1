"""Stores the rows of a release as they will be published."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any
from uuid import UUID

from annotation.models import SentencePair
from common import bulk
from releases.dataset.content import Entry
from releases.dataset.rows import ReleasedPair, SilverPair
from releases.models import Example, Release

FIELDS = (
    "position",
    "public_id",
    "sentence1_ref",
    "sentence2_ref",
    "sentence1",
    "sentence2",
    "method",
    "split",
    "origin",
    "pair_id",
    "via",
    "votes",
    "label",
    "kept",
    "subset",
)


def store(release: Release, entries: Iterable[Entry]) -> None:
    """Insert one row per entry, in their order."""
    pairs = SentencePair.objects.filter(project=release.project)
    keys = dict(pairs.values_list("public_id", "pk").iterator())
    bulk.insert(Example, _rows(entries, keys), fields=FIELDS, release_id=release.pk)


def _rows(entries: Iterable[Entry], keys: Mapping[UUID, int]) -> Iterator[tuple[Any, ...]]:
    for position, entry in zip(count(1), entries, strict=False):
        pair = entry.pair
        public_id = UUID(pair.id)
        named = (public_id, UUID(pair.sentence1), UUID(pair.sentence2))
        texts = (entry.sentence1, entry.sentence2)
        judged = _silver(pair) if isinstance(pair, SilverPair) else _labelled(pair, keys, public_id)
        yield (position, *named, *texts, pair.method, pair.split or "", *judged)


def _labelled(pair: ReleasedPair, keys: Mapping[UUID, int], public_id: UUID) -> tuple[Any, ...]:
    key = keys.get(public_id)
    return pair.origin, key, pair.via, pair.votes, pair.label, pair.kept, pair.subset or ""


def _silver(pair: SilverPair) -> tuple[Any, ...]:
    return Example.Origin.SILVER.value, None, (), None, pair.noisy_label, False, "unlabeled_final"
