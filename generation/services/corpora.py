"""Corpora, and their sources by text or by id."""

import json
from collections.abc import Collection
from typing import Literal, TypeAlias

from django.core.exceptions import ValidationError
from django.db import connection

from generation.models import Corpus

# As text: 32 hexadecimal digits, or the id of a sentence in its file.
Wanted: TypeAlias = str
# Postgres has no statistics on a corpus that has just grown, and may choose to read all its
# sentences. So each value is looked up separately, and the addition prevents use of the index by
# corpus, with which each lookup would read the whole corpus.
KEYS = """
SELECT (
    SELECT id FROM generation_sentence
    WHERE {own} AND corpus_id + 0 = %s AND candidate_id IS NULL
)
FROM {values}
ORDER BY wanted.{place}"""
OWN = {
    "digest": "digest = wanted.value",
    "external_id": "NOT (external_id = '') AND external_id = wanted.value",
}
KINDS = {"digest": "uuid", "external_id": "text"}


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
        raise ValidationError(f"The corpus {name} stands under the licence {corpus.licence!r}.")
    return corpus


def sources(
    corpus: Corpus, column: Literal["digest", "external_id"], values: Collection[Wanted]
) -> dict[Wanted, int]:
    """Return the primary keys of sources by value; the cost depends only on `values`.

    A digest is given as 32 hexadecimal digits. Missing values are omitted.
    """
    wanted = list(values)
    with connection.cursor() as cursor:
        cursor.execute(statement(column), [corpus.pk, _told(wanted)])
        keys = [key for (key,) in cursor.fetchall()]
    return {value: key for value, key in zip(wanted, keys, strict=True) if key is not None}


def statement(column: str) -> str:
    """Return the lookup in SQL of the engine; its parameters are the corpus and all values."""
    if connection.vendor == "postgresql":
        values = f"unnest(%s::{KINDS[column]}[]) WITH ORDINALITY AS wanted (value, place)"
        return KEYS.format(own=OWN[column], values=values, place="place")
    return KEYS.format(own=OWN[column], values="json_each(%s) AS wanted", place="key")


def _told(values: list[Wanted]) -> list[Wanted] | str:
    return values if connection.vendor == "postgresql" else json.dumps(values)
