"""Selects the sentences of a release: those of its labelled pairs, and all their ancestors."""

from array import array
from collections.abc import Iterator

from common.bulk import among
from generation.models import Sentence
from releases.dataset.rows import SentenceRow
from releases.models import Example, Release
from releases.selectors import rows

# The number of sentences in memory together; keys are all in memory.
CHUNK = 10_000


def of(release: Release) -> Iterator[SentenceRow]:
    """Return the sentences in order of their keys, each after the one it was rewritten from.

    They are queried by key in chunks, so that the database does not sort all of their texts.
    """
    keys = _keys(release)
    chosen = (
        Sentence.objects.filter(among("id", keys[first : first + CHUNK]))
        for first in range(0, len(keys), CHUNK)
    )
    return rows.sentence_rows(release.project, chosen)


def _keys(release: Release) -> "array[int]":
    """Return the keys of the sentences in ascending order, eight bytes each."""
    found: set[int] = set()
    origins: set[int | None] = set()
    for sentence1, sentence2, origin in _judged(release):
        found.update((sentence1, sentence2))
        origins.add(origin)
    while missing := [key for key in origins if key is not None and key not in found]:
        found.update(missing)
        origins = set(_origins(missing))
    return array("q", sorted(found))


def _judged(release: Release) -> Iterator[tuple[int, int, int | None]]:
    """Yield both sentences of each judged pair, and the origin of the first.

    Recombined pairs add no sentences. All pairs of the project are read, because Postgres has no
    statistics on rows that were just frozen and would look up each pair separately.
    """
    judged = release.examples.filter(origin=Example.Origin.JUDGED)
    released = set(judged.values_list("pair_id", flat=True).iterator(CHUNK))
    columns = ("pk", "sentence1_id", "sentence2_id", "sentence1__candidate__sentence_id")
    for key, *others in release.project.pairs.values_list(*columns).iterator(CHUNK):
        if key in released:
            yield tuple(others)


def _origins(keys: list[int]) -> Iterator[int | None]:
    """Yield the origins of these sentences."""
    for first in range(0, len(keys), CHUNK):
        some = Sentence.objects.filter(among("id", keys[first : first + CHUNK]))
        yield from some.values_list("candidate__sentence_id", flat=True)
