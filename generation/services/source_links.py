"""Finds the source sentence of an imported pair."""

import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from common import bulk
from generation.models import Corpus, Sentence
from generation.records import Fault, RefusedLine
from generation.services import corpora
from generation.services.prefetch import Rewrite


@dataclass(slots=True, eq=False)
class Source:
    """A sentence that is rewritten; a new one has no primary key yet."""

    text: str
    digest: str
    external_id: str = ""
    public_id: uuid.UUID | None = None
    pk: int | None = None


@dataclass(slots=True)
class SentenceBook:
    """The source sentences of some lines, by id and by text."""

    by_id: dict[str, Source] = field(default_factory=dict)
    by_text: dict[str, Source] = field(default_factory=dict)

    @classmethod
    def over(cls, corpus: Corpus, rewrites: Sequence[Rewrite]) -> "SentenceBook":
        """Look up all ids and texts of the lines."""
        book = cls()
        texts = corpora.sources(corpus, "digest", {each.digest for each in rewrites})
        book.by_text.update((each.text, each) for each in _stored("id", texts.values()))
        if ids := {each.line.sentence1_id for each in rewrites} - {""}:
            named = corpora.sources(corpus, "external_id", ids)
            book.by_id.update((each.external_id, each) for each in _stored("id", named.values()))
            known = _stored("public_id", set(filter(None, map(_as_uuid, ids))))
            book.by_id.update((str(each.public_id), each) for each in known)
        return book

    def source(self, rewrite: Rewrite) -> Source:
        """Return the source sentence of a line. Raises RefusedLine."""
        line = rewrite.line
        if line.sentence1_id:
            public_id = _as_uuid(line.sentence1_id)
            if found := self.by_id.get(str(public_id or line.sentence1_id)):
                if found.text != line.sentence1:
                    raise RefusedLine(Fault.OTHER_TEXT)
                return found
            if public_id and line.sentence1 not in self.by_text:
                raise RefusedLine(Fault.UNKNOWN_SENTENCE)
        if found := self.by_text.get(line.sentence1):
            return found
        return self._add(Source(line.sentence1, rewrite.digest, line.sentence1_id))

    def _add(self, source: Source) -> Source:
        self.by_text[source.text] = source
        if source.external_id:
            self.by_id[source.external_id] = source
        return source


def store(sources: Iterable[Source], *, corpus: Corpus) -> int:
    """Add new sources to the corpus, and set their keys. Returns the number added."""
    new = [source for source in dict.fromkeys(sources) if source.pk is None]
    for source, key in zip(new, bulk.keys(Sentence, len(new)), strict=True):
        source.pk = key
    rows = ((each.pk, each.text, each.digest, each.external_id) for each in new)
    bulk.insert(Sentence, rows, fields=("id", "text", "digest", "external_id"), corpus_id=corpus.pk)
    return len(new)


def _stored(column: str, values: Collection[int] | Collection[uuid.UUID]) -> Iterator[Source]:
    if not values:
        return
    columns = ("text", "digest", "external_id", "public_id", "pk")
    found = Sentence.objects.filter(bulk.among(column, values)).values_list(*columns)
    for text, digest, external_id, public_id, pk in found:
        yield Source(text, digest.hex, external_id, public_id, pk)


def _as_uuid(value: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(value)
    except ValueError:
        return None
