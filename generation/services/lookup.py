"""Which sources a corpus holds, by text or by id: each is looked up by itself in an index."""

import json
from collections.abc import Collection
from typing import Literal, TypeAlias

from django.db import connection

from generation.models import Corpus

# As characters: 32 hexadecimal digits, or the id that a sentence had in its file.
Wanted: TypeAlias = str

# Of a corpus that has just grown Postgres knows nothing, and takes each way to a sentence for
# equally short, also that of reading all of them. So each value is looked up by itself, and the
# sum hides the index by corpus, by which each lookup would read the corpus.
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


def sources(
    corpus: Corpus, column: Literal["digest", "external_id"], values: Collection[Wanted]
) -> dict[Wanted, int]:
    """The primary keys of the sources that have one of these values; the cost is that of `values`.

    A digest is given as its 32 digits. What the corpus does not hold is left out.
    """
    wanted = list(values)
    with connection.cursor() as cursor:
        cursor.execute(statement(column), [corpus.pk, _told(wanted)])
        keys = [key for (key,) in cursor.fetchall()]
    return {value: key for value, key in zip(wanted, keys, strict=True) if key is not None}


def statement(column: str) -> str:
    """The lookup in the words of the engine; its parameters are the corpus and all the values."""
    if connection.vendor == "postgresql":
        values = f"unnest(%s::{KINDS[column]}[]) WITH ORDINALITY AS wanted (value, place)"
        return KEYS.format(own=OWN[column], values=values, place="place")
    return KEYS.format(own=OWN[column], values="json_each(%s) AS wanted", place="key")


def _told(values: list[Wanted]) -> list[Wanted] | str:
    return values if connection.vendor == "postgresql" else json.dumps(values)
