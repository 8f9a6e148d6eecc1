"""Lines are read ahead, measured and imported: once each, counted, linked, and found again."""

import itertools
import uuid

import pytest
from django.db import connection

from generation.models import Candidate, Corpus, Sentence
from generation.nlp.measuring import likenesses
from generation.pair_reader import PairLine
from generation.readers import Row
from generation.records import Refusal, UnreadableFile
from generation.services import bulk, linking, lookup, reading_ahead, sentences, worker
from generation.services.linking import SentenceBook
from generation.services.near_duplicates import Handling
from generation.services.reading_ahead import Rewrite, measured
from generation.services.sentences import derive, digest_of, import_sentences
from tests.generation import fake

pytestmark = pytest.mark.django_db

FIRST = "Ships sail from the old harbour to the northern islands every day."
NEAR = "Ships sail from the old harbour to the northern islands every week."
NEAR_TO_BOTH = "Big ships sail from the old harbour to the northern islands every week."
FAR = "Trains leave from the new station to the southern towns every day."


@pytest.fixture
def corpus():
    return Corpus.objects.create(name="Tests")


@pytest.fixture
def other():
    return Corpus.objects.create(name="Others")


def imported(corpus, *texts, handling=Handling.COUNT, group=""):
    """Import lines, each a text or a text and an id."""
    pairs = [(text, "") if isinstance(text, str) else text for text in texts]
    rows = [Row(line, text, id_, group) for line, (text, id_) in enumerate(pairs, 1)]
    return import_sentences(rows, corpus=corpus, near_duplicates=handling)


def links():
    """The sources by text, each with the text that it nearly repeats."""
    return dict(Sentence.objects.values_list("text", "near_duplicate_of__text").order_by("id"))


def test_rows_become_sources_once_in_each_corpus_and_a_report_counts_them(corpus, other):
    row, handed = Row(1, "One.", external_id="a", group="g"), []
    refused = [Refusal(number, "nul") for number in range(4, 40)]
    lines = [row, Row(2, "One."), Row(3, "Two."), *refused]
    report = import_sentences(lines, corpus=corpus, on_refusal=handed.append)
    assert (report.read, report.added, report.duplicates) == (39, 2, 1)
    assert (report.refused, report.first_refusals, handed) == ({"nul": 36}, refused[:20], refused)
    made = Sentence.objects.get(text="One.")
    assert (made.corpus, made.candidate, made.external_id, made.group) == (corpus, None, "a", "g")
    assert made.digest.hex == digest_of("One.")
    assert import_sentences([row], corpus=corpus).duplicates == 1
    assert import_sentences([row], corpus=other).added == 1
    # An id belongs to one sentence.
    report = imported(corpus, ("Other.", "a"), ("Three.", "b"), ("Four.", "b"), "Other.")
    assert report.first_refusals == [Refusal(1, "duplicate_id"), Refusal(3, "duplicate_id")]
    assert (report.added, report.duplicates) == (2, 0)


@pytest.mark.usefixtures("backwards")
def test_a_derived_sentence_is_in_the_corpus_and_group_of_what_was_rewritten(corpus):
    imported(corpus, "A sentence.", group="g")
    worker.work_until_idle(fake.run(corpus))
    candidate = Candidate.objects.get()
    (key,) = derive([(candidate.pk, corpus.pk, "g", "A fixed sentence.")])
    made = Sentence.objects.get(pk=key)
    assert (made.candidate, made.corpus, made.group) == (candidate, corpus, "g")
    assert made.digest.hex == digest_of("A fixed sentence.")
    report = imported(corpus, "A fixed sentence.")  # as a source it is another
    assert (report.added, report.duplicates) == (1, 0)


def test_near_duplicates_are_linked_to_the_first_whatever_transaction_it_is_of(corpus, monkeypatch):
    for at_once in (1, 2, 5):
        Sentence.objects.all().delete()
        monkeypatch.setattr(sentences, "ROWS_PER_TRANSACTION", at_once)
        report = imported(corpus, FIRST, FAR, NEAR, FAR, NEAR_TO_BOTH)
        assert (report.read, report.added, report.duplicates) == (5, 4, 1)
        assert report.near_duplicates == 2
        assert links() == {FIRST: None, FAR: None, NEAR: FIRST, NEAR_TO_BOTH: FIRST}
    again = imported(corpus, NEAR, FIRST)
    assert (again.duplicates, again.near_duplicates) == (2, 0)
    Sentence.objects.get(text=FIRST).delete()
    assert links() == {FAR: None, NEAR: None, NEAR_TO_BOTH: None}


def test_near_duplicates_can_be_left_alone_or_skipped(corpus):
    report = imported(corpus, NEAR, NEAR_TO_BOTH, handling=Handling.OFF)
    assert (report.added, report.near_duplicates) == (2, 0)
    report = imported(corpus, (FIRST, "a"), (FAR, "a"), handling=Handling.SKIP)
    assert (report.added, report.near_duplicates) == (1, 0)  # the id of the first was free
    assert report.first_refusals == [Refusal(1, "near_duplicate")]


@pytest.mark.both_engines
def test_the_source_that_a_pair_rewrites_is_found_by_its_text_or_by_its_id(corpus, other):
    lines = [PairLine(1, "A cat.", "Cat."), PairLine(2, "A dog.", "Dog.", "d")]
    rewrites = [Rewrite.of(line) for line in lines]
    sources = [SentenceBook().source(each) for each in rewrites]
    assert linking.store(sources, corpus=corpus) == 2
    cat, dog = (source.pk for source in sources)
    book = SentenceBook.over(corpus, rewrites)
    assert [book.source(each).pk for each in rewrites] == [cat, dog]
    assert linking.store(map(book.source, rewrites), corpus=corpus) == 0
    elsewhere = SentenceBook.over(other, rewrites)
    assert (elsewhere.by_id, elsewhere.by_text) == ({}, {})
    digests = [digest_of(text) for text in ("A dog.", "missing", "A cat.")]
    assert lookup.sources(corpus, "digest", digests) == {digests[0]: dog, digests[2]: cat}
    assert lookup.sources(corpus, "digest", []) == lookup.sources(other, "digest", digests) == {}
    # A source without an id is not the one of an empty id.
    assert lookup.sources(corpus, "external_id", ["", "d", "z"]) == {"d": dog}


@pytest.mark.postgres
def test_postgres_takes_the_index_before_it_knows_the_corpus_and_a_control(corpus, other):
    missed = lookup.statement("digest").replace("corpus_id + 0", "corpus_id")
    fields, plans = ("text", "digest", "external_id"), {}
    rows = ((f"{number} " * 10, uuid.uuid4(), f"{uuid.uuid4()}") for number in range(20_000))
    bulk.insert(Sentence, rows, fields=fields, corpus_id=corpus.pk)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL plan_cache_mode = force_generic_plan")
        for column, of in itertools.product((*fields[1:], missed), (corpus, other)):
            statement = missed if column == missed else lookup.statement(column)
            cursor.execute(f"EXPLAIN {statement}", [of.pk, []])
            plans[column, of] = "\n".join(line for (line,) in cursor.fetchall())
            cursor.execute("ANALYZE generation_sentence")
    for column, index in [("digest", "once_in_corpus"), ("external_id", "id_once_in_corpus")]:
        for of in (corpus, other):
            assert index in plans[column, of]
            found = plans[column, of].partition("Index Cond: (")[2].partition("Filter")[0]
            assert " = wanted.value)" in found
    assert any("sentence_sources" in plans[missed, of] for of in (corpus, other))


@pytest.fixture
def two_lines_at_once(monkeypatch):
    monkeypatch.setattr(reading_ahead, "LINES_AT_ONCE", 2)


def lines(number, damaged=False):
    for line in range(number):
        yield PairLine(line, f"A cat sees {line}.", f"{line} sees a cat.")
    if damaged:
        raise UnreadableFile("Damaged.")


def test_every_line_comes_once_in_order_with_its_measures_also_before_a_file_breaks_off(
    two_lines_at_once,
):
    for number in (0, 1, 2, 3, 7):
        chunks, came = list(measured(lines(number))), []
        assert {chunk.lines for chunk, _ in chunks[:-1]} <= {2}
        assert all(likeness == likenesses(chunk.texts) for chunk, likeness in chunks)
        with pytest.raises(UnreadableFile, match="Damaged"):
            came.extend(measured(lines(number, damaged=True)))
        for found in (chunks, came):
            assert [each.line for chunk, _ in found for each in chunk.rewrites] == [*lines(number)]


def test_a_line_that_no_corpus_would_take_is_refused_and_one_chunk_read_ahead(two_lines_at_once):
    refused = [PairLine(1, "Same.", "Same."), PairLine(2, "One.", "Two.", method="magic")]
    chunks = list(measured([*refused, Refusal(3, "empty")]))
    reasons = [(each.line, each.reason) for chunk, _ in chunks for each in chunk.refusals]
    assert reasons == [(1, "identical"), (2, "unknown_method"), (3, "empty")]
    chunks = measured(given := lines(9))
    next(chunks)
    assert next(given).line == 4
    chunks.close()
