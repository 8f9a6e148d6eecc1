"""The sentences that a release holds: those of its labelled pairs, and what they were made from."""

from array import array
from collections.abc import Iterator

from common.bulk import among
from generation.models import Sentence
from releases.dataset.rows import SentenceRow
from releases.models import Example, Release
from releases.selectors import rows

# Sentences that are in memory at a time, but for their keys.
CHUNK = 10_000


def of(release: Release) -> Iterator[SentenceRow]:
    """In the order of their keys: after the one that it was rewritten from comes a sentence.

    They are asked for by key, some at a time, so that no database sorts all of their texts.
    """
    keys = _keys(release)
    chosen = (
        Sentence.objects.filter(among("id", keys[first : first + CHUNK]))
        for first in range(0, len(keys), CHUNK)
    )
    return rows.sentence_rows(release.project, chosen)


def _keys(release: Release) -> "array[int]":
    """Keys of the sentences, in ascending order: eight bytes for each."""
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
    """Both sentences of each judged pair, and what the first was rewritten from.

    Composed pairs have no others. All pairs of the project are read, since Postgres's statistics
    do not know rows that were just frozen, and it would look up pair by pair.
    """
    judged = release.examples.filter(origin=Example.Origin.JUDGED)
    released = set(judged.values_list("pair_id", flat=True).iterator(CHUNK))
    columns = ("pk", "sentence1_id", "sentence2_id", "sentence1__candidate__sentence_id")
    for key, *others in release.project.pairs.values_list(*columns).iterator(CHUNK):
        if key in released:
            yield tuple(others)


def _origins(keys: list[int]) -> Iterator[int | None]:
    """What these sentences were rewritten from."""
    for first in range(0, len(keys), CHUNK):
        some = Sentence.objects.filter(among("id", keys[first : first + CHUNK]))
        yield from some.values_list("candidate__sentence_id", flat=True)
