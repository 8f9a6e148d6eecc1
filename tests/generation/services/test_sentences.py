"""Sentences: read ahead, imported once each, linked, found again, and many stored at once."""

import uuid
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import example, given
from hypothesis import strategies as st

from common import bulk
from generation.models import Candidate, Corpus, Sentence
from generation.readers import PairLine, Row
from generation.records import Refusal
from generation.services import corpora, imported_pairs, sentences
from generation.services.sentences import Handling, derive, digest_of, import_sentences
from generation.services.sources import SourceBook, store_sources
from support import fake
from support.workers import work_until_idle

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]

FIRST = "Ships sail from the old harbour to the northern islands every day."
NEAR = "Ships sail from the old harbour to the northern islands every week."
NEAR_TO_BOTH = "Big ships sail from the old harbour to the northern islands every week."
FAR = "Trains leave from the new station to the southern towns every day."


@pytest.fixture
def corpus():
    return Corpus.objects.create(name="Tests")


def imported(corpus, *texts, handling=Handling.COUNT, group=""):
    pairs = [(text, "") if isinstance(text, str) else text for text in texts]
    rows = [Row(line, text, id_, group) for line, (text, id_) in enumerate(pairs, 1)]
    return import_sentences(rows, corpus=corpus, near_duplicates=handling)


def links():
    return dict(Sentence.objects.values_list("text", "near_duplicate_of__text").order_by("id"))


def test_rows_become_sources_once_in_each_corpus_and_a_report_counts_them(corpus):
    other = Corpus.objects.create(name="Others")
    row = Row(1, "One.", external_id="a", group="g")
    refused = [Refusal(number, "nul") for number in range(4, 40)]
    lines = [row, Row(2, "One."), Row(3, "Two."), *refused]
    report = import_sentences(lines, corpus=corpus)
    assert (report.read, report.added, report.duplicates) == (39, 2, 1)
    assert (report.refused, report.first_refusals) == ({"nul": 36}, refused[:20])
    made = Sentence.objects.get(text="One.")
    assert (made.corpus, made.candidate, made.external_id, made.group) == (corpus, None, "a", "g")
    assert (made.digest, made.line) == (digest_of("One."), 1)
    assert import_sentences([row], corpus=corpus).duplicates == 1
    assert import_sentences([row], corpus=other).added == 1
    # An id belongs to one sentence.
    report = imported(corpus, ("Other.", "a"), ("Three.", "b"), ("Four.", "b"), "Other.")
    assert report.first_refusals == [Refusal(1, "duplicate_id"), Refusal(3, "duplicate_id")]
    assert (report.added, report.duplicates) == (2, 0)


@pytest.mark.usefixtures("backwards")
def test_a_derived_sentence_is_in_the_corpus_and_group_of_what_was_rewritten(corpus):
    imported(corpus, "A sentence.", group="g")
    work_until_idle(fake.run(corpus))
    candidate = Candidate.objects.get()
    (key,) = derive([(candidate.pk, corpus.pk, "g", "A fixed sentence.")])
    made = Sentence.objects.get(pk=key)
    assert (made.candidate, made.corpus, made.group) == (candidate, corpus, "g")
    assert made.digest == digest_of("A fixed sentence.")
    report = imported(corpus, "A fixed sentence.")  # as a source it is another
    assert (report.added, report.duplicates) == (1, 0)


def test_near_duplicates_are_linked_to_the_first_or_skipped_or_left(corpus, monkeypatch):
    other = Corpus.objects.create(name="Others")
    for at_once in (1, 2, 5):
        Sentence.objects.all().delete()
        monkeypatch.setattr(sentences, "ROWS_PER_TRANSACTION", at_once)
        report = imported(corpus, FIRST, FAR, NEAR, FAR, NEAR_TO_BOTH)
        counts = (report.read, report.added, report.duplicates, report.near_duplicates)
        assert counts == (5, 4, 1, 2)
        assert links() == {FIRST: None, FAR: None, NEAR: FIRST, NEAR_TO_BOTH: FIRST}
    again = imported(corpus, NEAR, FIRST)
    assert (again.duplicates, again.near_duplicates) == (2, 0)
    Sentence.objects.get(text=FIRST).delete()
    assert links() == {FAR: None, NEAR: None, NEAR_TO_BOTH: None}
    report = imported(corpus, (FIRST, "a"), ("Unlike all others.", "a"), handling=Handling.SKIP)
    assert (report.added, report.near_duplicates) == (1, 0)  # the id of the first was free
    assert report.first_refusals == [Refusal(1, "near_duplicate")]
    report = imported(other, NEAR, NEAR_TO_BOTH, handling=Handling.OFF)
    assert (report.added, report.near_duplicates) == (2, 0)


def test_the_source_that_a_pair_rewrites_is_found_by_its_text_or_by_its_id(corpus):
    lines = [PairLine(1, "A cat.", "Cat."), PairLine(2, "A dog.", "Dog.", "d")]
    sources = [SourceBook(corpus, lines).source(each) for each in lines]
    assert store_sources(sources, corpus=corpus) == 2
    cat, dog = (source.pk for source in sources)
    book = SourceBook(corpus, lines)
    assert [book.source(each).pk for each in lines] == [cat, dog]
    assert store_sources(map(book.source, lines), corpus=corpus) == 0
    elsewhere = SourceBook(other := Corpus.objects.create(name="Others"), lines)
    assert (elsewhere.by_id, elsewhere.by_text) == ({}, {})

    def keys(corpus, column, values):
        return {source.pk for source in corpora.sources_with(corpus, column, values)}

    digests = [digest_of(text) for text in ("A dog.", "missing", "A cat.")]
    assert keys(corpus, "digest", digests) == {dog, cat}
    assert keys(corpus, "digest", []) == keys(other, "digest", digests) == set()
    # A source without an id is not the one of an empty id.
    assert keys(corpus, "external_id", ["", "d", "z"]) == {dog}


def test_pairs_are_stored_in_chunks_until_a_file_breaks_off(corpus, monkeypatch):
    monkeypatch.setattr(imported_pairs, "LINES_AT_ONCE", 2)
    lines = [PairLine(n, f"A cat sees {n}.", f"{n} sees a cat.") for n in range(3)]
    lines += [Refusal(3, "identical"), PairLine(4, "One.", "Two.", method="magic")]
    lines += [Refusal(5, "empty"), PairLine(6, "A cat sees 1.", "1 sees a cat.")]

    def damaged():
        yield from lines
        raise ValueError("Damaged.")

    with pytest.raises(ValueError, match="Damaged"):
        imported_pairs.import_candidates(damaged(), corpus=corpus, origin="a file")
    texts = Candidate.objects.order_by("pk").values_list("text", "rank", "batch__number")
    assert list(texts) == [(f"{n} sees a cat.", 0, n // 2 + 1) for n in range(3)]
    report = imported_pairs.import_candidates(lines, corpus=corpus, origin="a file")
    assert (report.read, report.added, report.duplicates) == (7, 0, 4)
    refused = {Refusal(3, "identical"), Refusal(4, "unknown_method"), Refusal(5, "empty")}
    assert set(report.first_refusals) == refused


# NUL and lone surrogates are in no text of ours; Postgres would not take them.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
AWKWARD = [
    *("", " ", 'it\'s "quoted"', "back\\slash, \\N and \\.", "tab\tand\nnew line\r\n"),
    *("\\t is no tab", "%s and %(name)s", "{braces}, and; semicolons -- or so"),
    *("e\u0301 is not é", "👩‍🔬 says 你好 and שלום", "x" * 100_000),
]


def insert(corpus, texts):
    rows = ((text, uuid.uuid4()) for text in texts)
    bulk.insert(Sentence, rows, fields=("text", "digest"), corpus_id=corpus.pk)


def stored(column):
    return list(Sentence.objects.order_by("pk").values_list(column, flat=True))


@given(st.lists(TEXTS, max_size=5))
@example(AWKWARD)
def test_any_text_comes_back_as_it_was_given_and_in_order(corpus, texts):
    Sentence.objects.all().delete()
    insert(corpus, texts)
    assert stored("text") == texts


def test_a_row_holds_its_own_values_in_their_kinds_those_of_all_and_the_defaults(corpus, backwards):
    before = datetime.now(UTC)
    rows = [("A b.", digest_of("A b."), None)]
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
    insert(corpus, "abc" * 100)
    assert len(set(stored("public_id"))) == 300
    Sentence.objects.all().delete()
    monkeypatch.setattr(bulk, "ROWS_PER_STATEMENT", 3)
    for number in (0, 1, 3, 4, 7):
        insert(corpus, map(str, range(number)))
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
    insert(corpus, ["Last."])
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
