"""The sentences that a release holds: those of its labelled pairs, and what they were made from."""

from array import array
from collections.abc import Iterator

from annotation.dataset.rows import SentenceRow
from annotation.models import Example, Release
from annotation.selectors import dataset
from generation.models import Sentence
from generation.services.bulk import among

# Sentences that are in memory at a time, but for their keys.
CHUNK = 2000


def of(release: Release) -> Iterator[SentenceRow]:
    """In the order of their keys: after the one that it was rewritten from comes a sentence.

    They are asked for by key, some at a time, so that no database sorts all of their texts.
    """
    keys = _keys(release)
    chosen = (
        Sentence.objects.filter(among("id", keys[first : first + CHUNK]))
        for first in range(0, len(keys), CHUNK)
    )
    return dataset.sentence_rows(release.project, chosen)


def _keys(release: Release) -> "array[int]":
    """Keys of the sentences, in ascending order: eight bytes for each."""
    labelled = release.examples.exclude(origin=Example.Origin.SILVER)
    found: set[int] = set()
    origins: set[int | None] = set()
    for column in ("sentence1_ref", "sentence2_ref"):
        named = Sentence.objects.filter(public_id__in=labelled.values(column))
        for key, origin in named.values_list("pk", "candidate__sentence_id").iterator(CHUNK):
            found.add(key)
            origins.add(origin)
    while missing := [key for key in origins if key is not None and key not in found]:
        found.update(missing)
        origins = set(_origins(missing))
    return array("q", sorted(found))


def _origins(keys: list[int]) -> Iterator[int | None]:
    """What these sentences were rewritten from."""
    for first in range(0, len(keys), CHUNK):
        some = Sentence.objects.filter(among("id", keys[first : first + CHUNK]))
        yield from some.values_list("candidate__sentence_id", flat=True)
