"""Corpora: named collections of sentences."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import transaction

from common import bulk
from generation.models import Corpus, Sentence


class StoredSource(NamedTuple):
    """A sentence that came with its corpus."""

    pk: int
    digest: UUID
    external_id: str
    text: str
    entity: str


def open_corpus(name: str, *, licence: str = "", language: str = "") -> Corpus:
    """Return the corpus with this name; create it if needed, in English by default.

    Raises ValidationError if a new corpus has invalid fields, or if an existing one has a licence
    or language other than the given one.
    """
    name = name.strip()
    corpus = Corpus.objects.filter(name=name).first()
    if corpus is None:
        corpus = Corpus(name=name, licence=licence, language=language or "en")
        corpus.full_clean()
        corpus.save()
    for field, value in (("licence", licence), ("language", language)):
        if value not in ("", stored := getattr(corpus, field)):
            raise ValidationError(f"The corpus {name} already has the {field} {stored!r}.")
    return corpus


@contextmanager
def open_to_fill(name: str, *, licence: str = "", language: str = "") -> Iterator[Corpus]:
    """Open a corpus to import into; delete it again if it is new and nothing was added to it."""
    is_new = not Corpus.objects.filter(name=name.strip()).exists()
    corpus = open_corpus(name, licence=licence, language=language)
    try:
        yield corpus
    finally:
        if is_new:
            _drop_if_empty(corpus)


@transaction.atomic
def _drop_if_empty(corpus: Corpus) -> None:
    locked = Corpus.objects.select_for_update().get(pk=corpus.pk)
    if not (locked.sentence_set.exists() or locked.generationrun_set.exists()):
        locked.delete()


def sources_with(
    corpus: Corpus, column: Literal["digest", "external_id"], values: Collection[UUID | str]
) -> list[StoredSource]:
    """Return the sources of a corpus with one of these digests or ids.

    The corpus is not part of the statement: without statistics on a corpus that has just grown,
    Postgres might choose the index by corpus, and read all its sentences.
    """
    if not (keys := set(values) - {""}):
        return []
    sentences = Sentence.objects.filter(bulk.among(column, keys), candidate=None)
    if column == "external_id":
        sentences = sentences.exclude(external_id="")  # as in the condition of the index
    rows = sentences.values_list("corpus", *StoredSource._fields)
    return [StoredSource(*row) for corpus_id, *row in rows if corpus_id == corpus.pk]
