"""Finding the sentence that a pair made elsewhere rewrites."""

import uuid
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from generation.models import Corpus, Sentence
from generation.pair_reader import PairLine
from generation.records import Fault, RefusedLine
from generation.services import bulk
from generation.services.sentences import digest_of


@dataclass(slots=True, eq=False)
class Source:
    """A sentence that is rewritten; one that the corpus does not hold yet has no key."""

    text: str
    digest: uuid.UUID
    external_id: str = ""
    public_id: uuid.UUID | None = None
    pk: int | None = None


@dataclass(slots=True)
class SentenceBook:
    """The rewritten sentences of some lines, found by id and by text."""

    digests: dict[str, uuid.UUID]
    by_id: dict[str, Source] = field(default_factory=dict)
    by_text: dict[uuid.UUID, Source] = field(default_factory=dict)

    @classmethod
    def over(cls, corpus: Corpus, lines: Sequence[PairLine]) -> "SentenceBook":
        """Look up everything that the lines name, in three queries at most."""
        ids = {line.sentence1_id for line in lines} - {""}
        of_corpus = {"corpus": corpus, "candidate": None}
        book = cls({line.sentence1: digest_of(line.sentence1) for line in lines})
        texts = _found("digest", set(book.digests.values()), **of_corpus)
        book.by_text.update((each.digest, each) for each in texts)
        named = _found("external_id", ids, **of_corpus)
        book.by_id.update((each.external_id, each) for each in named)
        known = _found("public_id", set(filter(None, map(_as_uuid, ids))))
        book.by_id.update((str(each.public_id), each) for each in known)
        return book

    def source(self, line: PairLine) -> Source:
        """The rewritten sentence of a line. Raises RefusedLine."""
        public_id = _as_uuid(line.sentence1_id)
        if found := self.by_id.get(str(public_id or line.sentence1_id)):
            if found.text != line.sentence1:
                raise RefusedLine(Fault.OTHER_TEXT)
            return found
        digest = self.digests[line.sentence1]
        if found := self.by_text.get(digest):
            return found
        if public_id:
            raise RefusedLine(Fault.UNKNOWN_SENTENCE)
        return self._add(Source(line.sentence1, digest, line.sentence1_id))

    def _add(self, source: Source) -> Source:
        self.by_text[source.digest] = source
        if source.external_id:
            self.by_id[source.external_id] = source
        return source


def store(sources: Iterable[Source], *, corpus: Corpus) -> int:
    """Add to the corpus what it does not hold of these; they get their keys. Returns how many."""
    new = [source for source in dict.fromkeys(sources) if source.pk is None]
    for source, key in zip(new, bulk.keys(Sentence, len(new)), strict=True):
        source.pk = key
    rows = [(each.pk, each.text, each.digest, each.external_id) for each in new]
    bulk.insert(Sentence, rows, fields=("id", "text", "digest", "external_id"), corpus_id=corpus.pk)
    return len(new)


def _found(name: str, values: Collection[Any], **condition: Any) -> Iterator[Source]:
    """The sentences whose column `name` holds one of the values."""
    if not values:
        return
    found = Sentence.objects.filter(bulk.among(name, values), **condition)
    for row in found.values_list("text", "digest", "external_id", "public_id", "pk"):
        yield Source(*row)


def _as_uuid(value: str) -> uuid.UUID | None:
    if not value:
        return None
    try:
        return uuid.UUID(value)
    except ValueError:
        return None
