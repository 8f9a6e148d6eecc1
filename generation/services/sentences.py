"""Adds sentences: from files, and as the final texts of candidates."""

import hashlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import TypeAlias
from uuid import UUID

from django.db import transaction

from common import bulk
from generation import selectors
from generation.models import Corpus, Sentence
from generation.nlp.near_duplicates import NearDuplicates, Scan
from generation.readers import Row
from generation.records import Fault, Follower, Refusal, Report, in_chunks
from generation.services import corpora

FinalRow: TypeAlias = tuple[int, int, str, str]

ROWS_PER_TRANSACTION = 2_000
COLUMNS = ("id", "near_duplicate_of_id", "text", "digest", "external_id", "group", "line")


class Handling(StrEnum):
    """What to do with a sentence that nearly repeats an earlier one.

    count: add it, linked to the earlier one. skip: refuse it. off: do not check.
    """

    COUNT = "count"
    SKIP = "skip"
    OFF = "off"


@dataclass(slots=True)
class ImportReport(Report):
    """`near_duplicates` counts added sentences that nearly repeat an earlier source."""

    near_duplicates: int = 0


def digest_of(text: str) -> UUID:
    """Return the first 128 bits of the SHA-256 of a text, unique among the sources of a corpus."""
    return UUID(bytes=hashlib.sha256(text.encode()).digest()[:16])


def import_sentences(
    lines: Iterable[Row | Refusal],
    *,
    corpus: Corpus,
    near_duplicates: Handling = Handling.COUNT,
    follower: Follower | None = None,
    keeps_lines: bool = True,
) -> ImportReport:
    """Add the rows of a file to a corpus, each text once; importing it again adds nothing.

    A near-duplicate of an earlier source is linked to the first such source, or skipped. With
    `keeps_lines`, the number of its line is stored with each sentence.
    """
    report = ImportReport(follower=follower)
    index = SourceIndex(corpus, near_duplicates, keeps_lines=keeps_lines)
    index.catch_up()  # before the corpus is locked
    for chunk in in_chunks(lines, ROWS_PER_TRANSACTION):
        _add_rows(list(report.readable(chunk)), index, report)
    return report


def derive(finals: Sequence[FinalRow]) -> Sequence[int]:
    """Create a sentence for the final text of each candidate, to be judged and rewritten.

    A row is (candidate id, corpus id, group, text), with corpus and group of the source. Returns
    the primary keys of the new sentences.
    """
    keys = bulk.keys(Sentence, len(finals))
    rows = ((key, *final, digest_of(final[-1])) for key, final in zip(keys, finals, strict=True))
    columns = ("id", "candidate_id", "corpus_id", "group", "text", "digest")
    bulk.insert(Sentence, rows, fields=columns)
    return keys


@dataclass(slots=True)
class SourceIndex:
    """The sources of a corpus by primary key, with an index of near-duplicates.

    The index is not stored: each import builds it from the corpus again.
    """

    corpus: Corpus
    handling: Handling
    keeps_lines: bool = True
    keys: "array[int]" = field(default_factory=lambda: array("q"))
    _near: NearDuplicates = field(init=False)

    def __post_init__(self) -> None:
        self._near = NearDuplicates(self._texts_at)

    def catch_up(self) -> None:
        if self.handling == Handling.OFF:
            return
        last = self.keys[-1] if self.keys else 0
        sources = selectors.sources(self.corpus.pk).filter(id__gt=last)
        rows = sources.values_list("id", "text").iterator(chunk_size=ROWS_PER_TRANSACTION)
        while chunk := list(islice(rows, ROWS_PER_TRANSACTION)):
            self._near.enter([text for _, text in chunk])
            self.keys.extend(id_ for id_, _ in chunk)

    def scan(self, texts: Sequence[str]) -> Scan:
        """Look up texts among all sources. Call this while the corpus is locked."""
        self.catch_up()
        # If off, empty texts match nothing.
        return self._near.scan([""] * len(texts) if self.handling == Handling.OFF else texts)

    def _texts_at(self, places: Sequence[int]) -> list[str]:
        """Return the texts at these places; "" for deleted sources, which matches nothing."""
        keys = [self.keys[place] for place in places]
        texts = dict(Sentence.objects.filter(pk__in=keys).values_list("pk", "text"))
        return [texts.get(key, "") for key in keys]


@transaction.atomic
def _add_rows(rows: Sequence[Row], index: SourceIndex, report: ImportReport) -> None:
    """Add rows that are not in the corpus yet.

    The lock serialises imports and starts of runs per corpus: counts are exact, and later sentences
    have higher primary keys than those of a run.
    """
    corpus = Corpus.objects.select_for_update().get(pk=index.corpus.pk)
    scan = index.scan([row.text for row in rows])
    new_rows = list(_new_rows(corpus, rows, scan, index, report))
    scan.close()
    bulk.insert(Sentence, new_rows, fields=COLUMNS, corpus_id=corpus.pk)
    report.added += len(new_rows)
    report.near_duplicates += sum(repeated is not None for _, repeated, *_ in new_rows)
    report.stored()


def _new_rows(
    corpus: Corpus, rows: Sequence[Row], scan: Scan, index: SourceIndex, report: ImportReport
) -> Iterator[tuple[object, ...]]:
    """Yield the COLUMNS of each row to add; count or refuse the others."""
    keys, digests = iter(bulk.keys(Sentence, len(rows))), [digest_of(row.text) for row in rows]
    stored_digests = {source.digest for source in corpora.sources_with(corpus, "digest", digests)}
    ids = {row.external_id for row in rows}
    external_ids = {
        source.external_id for source in corpora.sources_with(corpus, "external_id", ids)
    }
    for number, (row, digest) in enumerate(zip(rows, digests, strict=True)):
        if digest in stored_digests:
            report.duplicates += 1
        elif row.external_id in external_ids:
            report.refuse(row.line, Fault.DUPLICATE_ID)
        elif (place := scan.match(number)) is not None and index.handling == Handling.SKIP:
            report.refuse(row.line, Fault.NEAR_DUPLICATE)
        else:
            scan.keep(number)
            stored_digests.add(digest)
            external_ids |= {row.external_id} - {""}
            index.keys.append(next(keys))
            repeated_key = None if place is None else index.keys[place]
            labels = row.external_id, row.group, row.line if index.keeps_lines else None
            yield index.keys[-1], repeated_key, row.text, digest, *labels
