"""Importing sentences: once each, counted, with reasons for what is refused."""

import pytest

from generation.models import Candidate, Corpus, Sentence
from generation.readers import Row
from generation.records import Refusal
from generation.services import sentences, worker
from generation.services.sentences import derive, digest_of, import_sentences
from tests.generation import fake

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("backwards")]


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.create(name="Tests")


@pytest.fixture
def candidate(corpus: Corpus) -> Candidate:
    import_sentences([Row(1, "A sentence.", group="g")], corpus=corpus)
    worker.work_until_idle(fake.run(corpus))
    return Candidate.objects.get()


def test_rows_become_the_sources_of_the_corpus(corpus: Corpus) -> None:
    import_sentences([Row(1, "One.", external_id="a", group="g")], corpus=corpus)

    sentence = Sentence.objects.get()
    assert (sentence.corpus, sentence.text, sentence.candidate) == (corpus, "One.", None)
    assert (sentence.external_id, sentence.group) == ("a", "g")
    assert sentence.digest.hex == digest_of("One.")


def test_a_report_counts_what_became_of_the_lines(corpus: Corpus) -> None:
    lines = [Row(1, "One."), Refusal(2, "nul"), Row(3, "One."), Refusal(4, "nul"), Row(5, "Two.")]

    report = import_sentences(lines, corpus=corpus)

    assert (report.read, report.added, report.duplicates) == (5, 2, 1)
    assert report.refused == {"nul": 2}
    assert report.first_refusals == [Refusal(2, "nul"), Refusal(4, "nul")]


def test_importing_again_adds_nothing(corpus: Corpus) -> None:
    lines = [Row(number, f"Sentence {number}.", external_id=f"s{number}") for number in range(30)]
    import_sentences(lines, corpus=corpus)

    report = import_sentences(lines, corpus=corpus)

    assert (report.added, report.duplicates, report.refused) == (0, 30, {})
    assert Sentence.objects.count() == 30


def test_another_corpus_may_hold_the_same_sentence(corpus: Corpus) -> None:
    import_sentences([Row(1, "One.")], corpus=corpus)

    report = import_sentences([Row(1, "One.")], corpus=Corpus.objects.create(name="Others"))

    assert report.added == 1


def test_an_id_stands_for_one_sentence(corpus: Corpus) -> None:
    import_sentences([Row(1, "One.", external_id="a")], corpus=corpus)

    lines = [
        Row(1, "Other.", external_id="a"),
        Row(2, "Two.", external_id="b"),
        Row(3, "Three.", external_id="b"),
        Row(4, "Other."),
    ]
    report = import_sentences(lines, corpus=corpus)

    assert report.first_refusals == [Refusal(1, "duplicate_id"), Refusal(3, "duplicate_id")]
    assert (report.added, report.duplicates) == (2, 0)


def test_rows_of_several_transactions_are_counted_alike(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentences, "ROWS_PER_TRANSACTION", 3)
    lines = [Row(number, f"Sentence {number % 7}.") for number in range(20)]

    report = import_sentences(lines, corpus=corpus)

    assert (report.read, report.added, report.duplicates) == (20, 7, 13)


def test_the_first_refusals_are_kept_and_all_are_told(corpus: Corpus) -> None:
    told: list[Refusal] = []
    lines = [Refusal(number, "nul") for number in range(50)]

    report = import_sentences(lines, corpus=corpus, on_refusal=told.append)

    assert report.first_refusals == lines[: sentences.FIRST_REFUSALS]
    assert told == lines


def test_derived_sentences_stand_in_the_corpus_and_group_of_what_was_rewritten(
    candidate: Candidate,
) -> None:
    (made,) = derive([(candidate.pk, candidate.sentence.corpus_id, "g", "A fixed sentence.")])
    sentence = Sentence.objects.get(pk=made)

    assert sentence.candidate == candidate
    assert (sentence.corpus, sentence.group) == (candidate.sentence.corpus, "g")
    assert sentence.digest.hex == digest_of("A fixed sentence.")


def test_a_text_that_was_derived_can_still_be_imported_as_a_source(candidate: Candidate) -> None:
    derive([(candidate.pk, candidate.sentence.corpus_id, "g", "A fixed sentence.")])

    report = import_sentences([Row(1, "A fixed sentence.")], corpus=candidate.sentence.corpus)

    assert (report.added, report.duplicates) == (1, 0)
