"""Adds sentences: from files, and as the final texts of candidates."""

import hashlib
import uuid
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import TypeAlias

from django.db import transaction

from common import bulk
from generation import selectors
from generation.models import Corpus, Sentence
from generation.nlp.near_duplicates import NearDuplicates, Scan
from generation.readers import Row
from generation.records import Fault, Refusal
from generation.services import corpora

Repeats: TypeAlias = Sequence[tuple[Sentence, int]]

SENTENCES_AT_ONCE = 2_000

FinalRow: TypeAlias = tuple[int, int, str, str]
ROWS_PER_TRANSACTION = 2_000
FIRST_REFUSALS = 20


class Handling(StrEnum):
    """What to do with a sentence that nearly repeats an earlier one.

    count: add it, linked to the earlier one. skip: refuse it. off: do not check.
    """

    COUNT = "count"
    SKIP = "skip"
    OFF = "off"


@dataclass(slots=True)
class EarlierSources:
    """The sources of a corpus by primary key, with an index of near-duplicates.

    The index is not stored: each import builds it from the corpus again.
    """

    corpus: Corpus
    handling: Handling = Handling.COUNT
    _index: NearDuplicates = field(init=False)
    _ids: "array[int]" = field(default_factory=lambda: array("q"))

    def __post_init__(self) -> None:
        self._index = NearDuplicates(self._texts_at)

    def catch_up(self) -> None:
        """Read sources that are not in the index yet."""
        if self.handling == Handling.OFF:
            return
        last = self._ids[-1] if self._ids else 0
        sources = selectors.sources(self.corpus.pk).filter(id__gt=last)
        rows = sources.values_list("id", "text").iterator(chunk_size=SENTENCES_AT_ONCE)
        while some := list(islice(rows, SENTENCES_AT_ONCE)):
            self._index.enter([text for _, text in some])
            self._ids.extend(id_ for id_, _ in some)

    def scan(self, texts: Sequence[str]) -> Scan:
        """Look up texts among all sources, before deciding which of them to add.

        Call this while the corpus is locked.
        """
        self.catch_up()
        looked_up = [""] * len(texts) if self.handling == Handling.OFF else texts
        return self._index.scan(looked_up)  # if off, empty texts match nothing

    def link(self, added: Sequence[Sentence], scan: Scan, repeats: Repeats) -> None:
        """Add the rows that a scan kept, now stored, and link those that repeat a place."""
        scan.close()
        self._ids.extend(sentence.pk for sentence in added)
        for sentence, place in repeats:
            sentence.near_duplicate_of_id = self._ids[place]
        Sentence.objects.bulk_update([one for one, _ in repeats], ["near_duplicate_of"])

    def _texts_at(self, places: Sequence[int]) -> list[str]:
        """Return the texts at these places; "" for deleted sources, which matches nothing."""
        ids = [self._ids[place] for place in places]
        texts = dict(Sentence.objects.filter(pk__in=ids).values_list("pk", "text"))
        return [texts.get(id_, "") for id_ in ids]


@dataclass(slots=True)
class ImportReport:
    """Counts of the lines of a file; `refused` counts them by reason.

    `near_duplicates` counts added sentences that nearly repeat an earlier source.
    """

    read: int = 0
    added: int = 0
    duplicates: int = 0
    near_duplicates: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    first_refusals: list[Refusal] = field(default_factory=list)


@dataclass(slots=True)
class _Sorted:
    """The rows of one transaction, sorted by how they are handled."""

    new: list[Sentence] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    repeats: list[tuple[Sentence, int]] = field(default_factory=list)
    duplicates: int = 0

    def add(self, sentence: Sentence, repeated: int | None) -> None:
        """Add a new sentence, and the place of the source that it nearly repeats, if any."""
        self.new.append(sentence)
        if repeated is not None:
            self.repeats.append((sentence, repeated))


def digest_of(text: str) -> str:
    """Return the first 32 hexadecimal digits of the SHA-256 of a text, unique in a corpus.

    Both databases accept them as text; creating a UUID takes three times as long.
    """
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def import_sentences(
    lines: Iterable[Row | Refusal],
    *,
    corpus: Corpus,
    near_duplicates: Handling = Handling.COUNT,
    on_refusal: Callable[[Refusal], object] | None = None,
) -> ImportReport:
    """Add the rows of a file to a corpus, each text once; importing it again adds nothing.

    A near-duplicate of an earlier source is linked to the first such source, or skipped.
    `on_refusal` is called for every refused line; the report keeps only the first ones.
    """
    report, sources = ImportReport(), EarlierSources(corpus, near_duplicates)
    sources.catch_up()  # before the corpus is locked
    for chunk in _chunks(lines, ROWS_PER_TRANSACTION):
        done = _add([line for line in chunk if isinstance(line, Row)], sources)
        report.read += len(chunk)
        report.added += len(done.new)
        report.duplicates += done.duplicates
        report.near_duplicates += len(done.repeats)
        for refusal in [line for line in chunk if isinstance(line, Refusal)] + done.refusals:
            _note(report, refusal)
            if on_refusal:
                on_refusal(refusal)
    return report


def derive(finals: Sequence[FinalRow]) -> Sequence[int]:
    """Create a sentence for the final text of each candidate, to be judged and rewritten.

    A row is (candidate id, corpus id, group, text), with corpus and group of the source. Returns
    the primary keys of the new sentences.
    """
    made = bulk.keys(Sentence, len(finals))
    rows = ((key, *final, digest_of(final[-1])) for key, final in zip(made, finals, strict=True))
    columns = ("id", "candidate_id", "corpus_id", "group", "text", "digest")
    bulk.insert(Sentence, rows, fields=columns)
    return made


def _note(report: ImportReport, refusal: Refusal) -> None:
    report.refused[refusal.reason] += 1
    if len(report.first_refusals) < FIRST_REFUSALS:
        report.first_refusals.append(refusal)


def _chunks(lines: Iterable[Row | Refusal], size: int) -> Iterator[list[Row | Refusal]]:
    iterator = iter(lines)
    while chunk := list(islice(iterator, size)):
        yield chunk


@transaction.atomic
def _add(rows: Sequence[Row], sources: EarlierSources) -> _Sorted:
    """Add rows that are not in the corpus yet.

    The lock serialises imports and starts of runs per corpus: counts are exact, and later sentences
    have higher primary keys than those of a run.
    """
    corpus = Corpus.objects.select_for_update().get(pk=sources.corpus.pk)
    scan = sources.scan([row.text for row in rows])
    done = _sort(corpus, rows, scan, skip=sources.handling == Handling.SKIP)
    Sentence.objects.bulk_create(done.new)
    sources.link(done.new, scan, done.repeats)
    return done


def _sort(corpus: Corpus, rows: Sequence[Row], scan: Scan, *, skip: bool) -> _Sorted:
    digests = [digest_of(row.text) for row in rows]
    known = set(corpora.sources(corpus, "digest", digests))
    ids = {row.external_id for row in rows} - {""}
    taken = set(corpora.sources(corpus, "external_id", ids)) if ids else set[str]()
    done = _Sorted()
    for number, (row, digest) in enumerate(zip(rows, digests, strict=True)):
        if digest in known:
            done.duplicates += 1
        elif row.external_id in taken:
            done.refusals.append(Refusal(row.line, Fault.DUPLICATE_ID))
        elif (repeated := scan.match(number)) is not None and skip:
            done.refusals.append(Refusal(row.line, Fault.NEAR_DUPLICATE))
        else:
            scan.keep(number)
            done.add(_sentence(corpus, row, digest), repeated)
            known.add(digest)
            taken |= {row.external_id} - {""}
    return done


def _sentence(corpus: Corpus, row: Row, digest: str) -> Sentence:
    return Sentence(
        corpus_id=corpus.pk,
        text=row.text,
        digest=uuid.UUID(digest),
        external_id=row.external_id,
        group=row.group,
    )
