"""The source sentences of imported pairs: those of the corpus, and new ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from common import bulk
from generation.models import Corpus, Sentence
from generation.readers import PairLine
from generation.records import Fault, RefusedLine
from generation.services import corpora
from generation.services.sentences import digest_of


@dataclass(slots=True, eq=False)
class Source:
    """A sentence that is rewritten; a new one has no primary key yet."""

    text: str
    digest: UUID
    external_id: str = ""
    line: int | None = None
    pk: int | None = None


class SourceBook:
    """The source sentences of some lines, by id and by text."""

    def __init__(self, corpus: Corpus, lines: Sequence[PairLine]) -> None:
        self._digests = {line.sentence1: digest_of(line.sentence1) for line in lines}
        ids = {line.sentence1_id for line in lines} - {""}
        public_ids = {public_id for external_id in ids if (public_id := _as_uuid(external_id))}
        rows_by_text = corpora.sources_with(corpus, "digest", self._digests.values())
        rows_by_id_in_file = corpora.sources_with(corpus, "external_id", ids)
        rows_by_public_id = Sentence.objects.filter(bulk.among("public_id", public_ids))
        rows_of_corpus: list[Any] = [row for row in rows_by_public_id if row.corpus_id == corpus.pk]
        rows = {row.pk: row for row in (*rows_by_text, *rows_by_id_in_file, *rows_of_corpus)}
        stored = {pk: Source(row.text, row.digest, pk=pk) for pk, row in rows.items()}
        self.by_text = {row.text: stored[row.pk] for row in rows_by_text}
        self.by_id = {row.external_id: stored[row.pk] for row in rows_by_id_in_file}
        self.by_id |= {str(row.public_id): stored[row.pk] for row in rows_of_corpus}

    def source(self, line: PairLine) -> Source:
        """Return the source sentence of a line; it may be new. Raises RefusedLine."""
        public_id = _as_uuid(line.sentence1_id)
        if stored := self.by_id.get(str(public_id or line.sentence1_id)):
            if stored.text != line.sentence1:
                raise RefusedLine(Fault.OTHER_TEXT)
            return stored
        if stored := self.by_text.get(line.sentence1):
            return stored
        if public_id:
            raise RefusedLine(Fault.UNKNOWN_SENTENCE)
        digest = self._digests[line.sentence1]
        new = Source(line.sentence1, digest, line.sentence1_id, line.line)
        self.by_text[new.text] = new
        if new.external_id:
            self.by_id[new.external_id] = new
        return new


def store_sources(sources: Iterable[Source], *, corpus: Corpus) -> int:
    """Add new sources to the corpus, and set their keys. Returns the number added."""
    new = [source for source in sources if source.pk is None]
    for source, key in zip(new, bulk.keys(Sentence, len(new)), strict=True):
        source.pk = key
    rows = ((row.pk, row.text, row.digest, row.external_id, row.line) for row in new)
    columns = ("id", "text", "digest", "external_id", "line")
    bulk.insert(Sentence, rows, fields=columns, corpus_id=corpus.pk)
    return len(new)


def _as_uuid(value: str) -> UUID | None:
    try:
        return UUID(value) if value else None
    except ValueError:
        return None
