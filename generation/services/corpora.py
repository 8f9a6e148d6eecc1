"""Corpora: named collections of sentences."""

from collections.abc import Collection
from typing import Literal, NamedTuple
from uuid import UUID

from django.core.exceptions import ValidationError

from common import bulk
from generation.models import Corpus, Sentence


class StoredSource(NamedTuple):
    """A sentence that came with its corpus."""

    pk: int
    digest: UUID
    external_id: str
    text: str


def open_corpus(name: str, *, licence: str = "", language: str = "en") -> Corpus:
    """Return the corpus with this name; create it if needed.

    Raises ValidationError if a new corpus has invalid fields, or if an existing one has a licence
    other than the given one.
    """
    corpus = Corpus.objects.filter(name=name).first()
    if corpus is None:
        corpus = Corpus(name=name, licence=licence, language=language)
        corpus.full_clean()
        corpus.save()
    if licence not in ("", corpus.licence):
        raise ValidationError(f"The corpus {name} already has the licence {corpus.licence!r}.")
    return corpus


def sources(
    corpus: Corpus, column: Literal["digest", "external_id"], values: Collection[UUID | str]
) -> list[StoredSource]:
    """Return the sources of a corpus with one of these digests or ids.

    The corpus is not part of the statement: without statistics on a corpus that has just grown,
    Postgres might choose the index by corpus, and read all its sentences.
    """
    if not (wanted := set(values) - {""}):
        return []
    found = Sentence.objects.filter(bulk.among(column, wanted), candidate=None)
    if column == "external_id":
        found = found.exclude(external_id="")  # as in the condition of the index
    rows = found.values_list("pk", "digest", "external_id", "text", "corpus")
    return [StoredSource(*row[:4]) for row in rows if row[4] == corpus.pk]
