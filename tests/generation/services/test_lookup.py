"""Each text and each id is looked up by itself in an index, however large its corpus."""

import uuid

import pytest
from django.db import connection

from generation.models import Corpus, Sentence
from generation.services import bulk, linking, lookup
from generation.services.linking import Source
from generation.services.sentences import digest_of

pytestmark = pytest.mark.django_db

COLUMNS = [
    pytest.param("digest", "sentence_once_in_corpus", id="digest"),
    pytest.param("external_id", "sentence_external_id_once_in_corpus", id="id"),
]


@pytest.fixture
def corpus():
    return Corpus.objects.create(name="Looked up")


def store(corpus, *sources):
    """Sources of these texts and ids, stored."""
    made = [Source(text, digest_of(text), external_id) for text, external_id in sources]
    linking.store(made, corpus=corpus)
    return made


def test_digests_and_ids_are_found_where_some_are_missing(corpus):
    one, _, three = store(corpus, ("1", "a"), ("2", "b"), ("3", "c"))
    first, missing, last = (digest_of(text) for text in ("1", "missing", "3"))
    found = lookup.sources(corpus, "digest", [last, missing, first])
    assert found == {first: one.pk, last: three.pk}
    assert lookup.sources(corpus, "external_id", {"c", "z", "a"}) == {"a": one.pk, "c": three.pk}
    assert lookup.sources(corpus, "digest", []) == {}


def test_a_source_of_another_corpus_is_not_found(corpus):
    store(Corpus.objects.create(name="Other"), ("A cat.", "c"))
    assert lookup.sources(corpus, "digest", [digest_of("A cat.")]) == {}
    assert lookup.sources(corpus, "external_id", ["c"]) == {}


def test_a_sentence_without_an_id_is_not_the_one_of_an_empty_id(corpus):
    store(corpus, ("A cat.", ""))
    assert lookup.sources(corpus, "external_id", [""]) == {}


def plans(corpus, statement):
    """How Postgres goes about it while a corpus grows, then for one that it knows nothing of."""
    for more in (10, 100, 900, 2_000, 17_000):
        rows = [(f"{number} " * 10, uuid.uuid4(), f"{uuid.uuid4()}") for number in range(more)]
        fields = ("text", "digest", "external_id")
        bulk.insert(Sentence, rows, fields=fields, corpus_id=corpus.pk)
        yield plan(corpus, statement)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE generation_sentence")
    yield plan(Corpus.objects.create(name="Another"), statement)


def plan(corpus, statement):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        cursor.execute(f"EXPLAIN {statement}", [corpus.pk, []])
        return "\n".join(line for (line,) in cursor.fetchall())


@pytest.mark.postgres
@pytest.mark.parametrize(("column", "index"), COLUMNS)
def test_postgres_takes_the_index_before_it_knows_the_corpus(corpus, column, index):
    for told in plans(corpus, lookup.statement(column)):
        assert index in told
        assert "Index Cond: (" in told
        assert " = wanted.value)" in told.partition("Filter")[0]


@pytest.mark.postgres
def test_control_the_index_is_missed_where_the_corpus_may_be_searched(corpus):
    statement = lookup.statement("digest").replace("corpus_id + 0", "corpus_id")
    assert any("sentence_sources" in told for told in plans(corpus, statement))
