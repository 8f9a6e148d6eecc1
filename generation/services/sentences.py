"""Sentences come in: from files, and as the final texts of candidates."""

import hashlib
import uuid
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeAlias

from django.db import transaction

from common import bulk
from generation.models import Corpus, Sentence
from generation.nlp.near_duplicates import Scan
from generation.readers import Row
from generation.records import Fault, Refusal
from generation.services import lookup
from generation.services.near_duplicates import EarlierSources, Handling

FinalRow: TypeAlias = tuple[int, int, str, str]

ROWS_PER_TRANSACTION = 2_000
FIRST_REFUSALS = 20


@dataclass(slots=True)
class ImportReport:
    """What became of the lines of a file; `refused` counts them by reason.

    `near_duplicates` counts those of the added that nearly repeat an earlier source.
    """

    read: int = 0
    added: int = 0
    duplicates: int = 0
    near_duplicates: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    first_refusals: list[Refusal] = field(default_factory=list)


@dataclass(slots=True)
class _Sorted:
    """The rows of one transaction, by what is to become of them."""

    new: list[Sentence] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    repeats: list[tuple[Sentence, int]] = field(default_factory=list)
    duplicates: int = 0

    def add(self, sentence: Sentence, repeated: int | None) -> None:
        """Take in a new sentence, and the place of the one that it nearly repeats."""
        self.new.append(sentence)
        if repeated is not None:
            self.repeats.append((sentence, repeated))


def digest_of(text: str) -> str:
    """The first 32 digits of the SHA-256 of a text, by which a corpus knows its sentences.

    Both engines take them as they are; a UUID takes three times as long to be made.
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

    A near-duplicate of an earlier source is linked to the first that it repeats, or skipped.
    `on_refusal` is told of every refused line, also of those past the first that the report keeps.
    """
    report, sources = ImportReport(), EarlierSources(corpus, near_duplicates)
    sources.catch_up()  # here, where nobody waits for the lock
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
    """Make a sentence of the final text of each candidate: it can be judged and rewritten.

    A row is the candidate, and the corpus and the group of the sentence that it rewrites, and the
    text. Returns the primary keys of the new sentences.
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
    """Add what the corpus does not hold.

    Its lock lets one import or start of a run at a time into a corpus: counts are exact, and the
    primary keys of what comes later lie beyond those that a run was cut from.
    """
    corpus = Corpus.objects.select_for_update().get(pk=sources.corpus.pk)
    scan = sources.scan([row.text for row in rows])
    done = _sort(corpus, rows, scan, skip=sources.handling == Handling.SKIP)
    Sentence.objects.bulk_create(done.new)
    sources.link(done.new, scan, done.repeats)
    return done


def _sort(corpus: Corpus, rows: Sequence[Row], scan: Scan, *, skip: bool) -> _Sorted:
    digests = [digest_of(row.text) for row in rows]
    known = set(lookup.sources(corpus, "digest", digests))
    ids = {row.external_id for row in rows} - {""}
    taken = set(lookup.sources(corpus, "external_id", ids)) if ids else set[str]()
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
