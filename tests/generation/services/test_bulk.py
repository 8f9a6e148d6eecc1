"""Many rows at once hold what was given, on both engines."""

import uuid
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import example, given
from hypothesis import strategies as st

from generation.models import Candidate, Corpus, Sentence
from generation.services import bulk
from generation.services.sentences import digest_of
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]

# NUL and lone surrogates are in no text of ours; Postgres would not take them.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
AWKWARD = [
    *("", " ", 'it\'s "quoted"', "back\\slash, \\N and \\.", "tab\tand\nnew line\r\n"),
    *("\\t is no tab", "%s and %(name)s", "{braces}, and; semicolons -- or so"),
    *("e\u0301 is not é", "👩‍🔬 says 你好 and שלום", "x" * 100_000),
]


@pytest.fixture
def corpus():
    return Corpus.objects.create(name="Bulk")


def sentences(corpus, texts):
    """Insert sentences of these texts, which need not differ."""
    rows = ((text, uuid.uuid4()) for text in texts)
    bulk.insert(Sentence, rows, fields=("text", "digest"), corpus_id=corpus.pk)


def stored(column):
    return list(Sentence.objects.order_by("pk").values_list(column, flat=True))


@given(st.lists(TEXTS, max_size=5))
@example(AWKWARD)
def test_any_text_comes_back_as_it_was_given_and_in_order(corpus, texts):
    Sentence.objects.all().delete()
    sentences(corpus, texts)
    assert stored("text") == texts


def test_a_row_holds_its_own_values_in_their_kinds_those_of_all_and_the_defaults(corpus, backwards):
    before = datetime.now(UTC)
    rows = [("A b.", uuid.UUID(digest_of("A b.")), None)]
    fields = ("text", "digest", "near_duplicate_of_id")
    bulk.insert(Sentence, rows, fields=fields, corpus_id=corpus.pk, group="town")
    made = Sentence.objects.get()
    assert (made.text, made.digest, made.near_duplicate_of_id) == rows[0]
    assert (made.corpus, made.group, made.external_id, made.candidate) == (corpus, "town", "", None)
    assert before <= made.created_at <= datetime.now(UTC)
    run, other = fake.run(corpus), [{"text": 'B "a" \\ \'.', "score": -1.5}, None, True]
    rows = [(made.pk, 0, "B a.", 0.1 + 0.2, None, other), (made.pk, 1, "B.", 1e-9, -2.0, [])]
    fields = ("sentence_id", "rank", "text", "similarity", "score", "alternatives")
    shared = {"run_id": run.pk, "batch_id": run.batches.get().pk, "inversion_rate": 0.0}
    bulk.insert(Candidate, rows, fields=fields, **shared)
    assert list(Candidate.objects.order_by("rank").values_list(*fields)) == rows


def test_rows_beyond_one_statement_go_into_the_next_and_all_are_stored_or_none(corpus, monkeypatch):
    sentences(corpus, "abc" * 100)
    made = set(stored("public_id"))
    assert {(each.version, each.variant) for each in made} == {(4, uuid.RFC_4122)}
    drawn = [bit for bit in range(128) if len({each.int >> bit & 1 for each in made}) == 2]
    assert (len(made), len(drawn)) == (300, 122)  # all others are of the version
    Sentence.objects.all().delete()
    monkeypatch.setattr(bulk, "ROWS_PER_STATEMENT", 3)
    monkeypatch.setattr(bulk, "UUIDS_AT_ONCE", 2)
    for number in (0, 1, 3, 4, 7):
        sentences(corpus, map(str, range(number)))
        assert stored("text") == [str(each) for each in range(number)]
        Sentence.objects.all().delete()
    rows = [(text, digest_of(text)) for text in "abca"]
    with pytest.raises(IntegrityError), bulk.transaction_ahead_of_the_disk():
        bulk.insert(Sentence, rows, fields=("text", "digest"), corpus_id=corpus.pk)
    assert not Sentence.objects.exists()


def test_rows_take_the_keys_drawn_for_them_and_later_rows_the_next(corpus):
    assert len(bulk.keys(Sentence, 0)) == 0
    gone = Sentence.objects.create(corpus=corpus, text="Gone.", digest=uuid.uuid4()).pk
    Sentence.objects.all().delete()
    keys = list(bulk.keys(Sentence, 3))
    assert [gone, *keys] == sorted({gone, *keys})
    rows = [(key, str(key), uuid.uuid4()) for key in keys]
    bulk.insert(Sentence, rows, fields=("id", "text", "digest"), corpus_id=corpus.pk)
    assert (stored("pk"), stored("text")) == (keys, [str(key) for key in keys])
    later = Sentence.objects.create(corpus=corpus, text="Later.", digest=uuid.uuid4())
    sentences(corpus, ["Last."])
    assert max(keys) < later.pk < Sentence.objects.get(text="Last.").pk
    for column in ("digest", "text", "id"):
        for wanted in (stored(column)[:2], []):
            found = Sentence.objects.filter(bulk.among(column, wanted)).order_by("pk")
            assert list(found.values_list(column, flat=True)) == wanted, column


def waits_for_the_disk():
    with connection.cursor() as cursor:
        return cursor.execute("SHOW synchronous_commit").fetchone() != ("off",)


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_only_a_transaction_of_its_own_is_committed_ahead_of_the_disk():
    with bulk.transaction_ahead_of_the_disk():
        assert not waits_for_the_disk()
    assert waits_for_the_disk()
    with transaction.atomic(), bulk.transaction_ahead_of_the_disk():
        assert waits_for_the_disk()
