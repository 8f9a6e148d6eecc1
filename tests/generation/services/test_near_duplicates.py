"""Sentences that nearly repeat an earlier source: linked to it, skipped, or not looked for."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from generation.models import Corpus, Sentence
from generation.nlp.near_duplicates import THRESHOLD, are_near, shingles
from generation.readers import Row
from generation.records import Refusal
from generation.services import sentences
from generation.services.near_duplicates import Handling
from generation.services.sentences import ImportReport, import_sentences

pytestmark = pytest.mark.django_db

FIRST = "Ships sail from the old harbour to the northern islands every day."
NEAR = "Ships sail from the old harbour to the northern islands every week."
NEAR_TO_BOTH = "Big ships sail from the old harbour to the northern islands every week."
FAR = "Trains leave from the new station to the southern towns every day."


@pytest.fixture
def corpus() -> Corpus:
    return Corpus.objects.create(name="Tests")


def import_texts(corpus: Corpus, *texts: str, handling: Handling = Handling.COUNT) -> ImportReport:
    rows = [Row(line, text) for line, text in enumerate(texts, 1)]
    return import_sentences(rows, corpus=corpus, near_duplicates=handling)


def links() -> dict[str, str | None]:
    """The sources by text, each with the text that it nearly repeats."""
    return dict(Sentence.objects.values_list("text", "near_duplicate_of__text").order_by("id"))


def test_a_sentence_is_linked_to_the_earlier_one_that_it_nearly_repeats(corpus: Corpus) -> None:
    report = import_texts(corpus, FIRST, FAR, NEAR)

    assert (report.added, report.near_duplicates) == (3, 1)
    assert links() == {FIRST: None, FAR: None, NEAR: FIRST}


def test_the_order_of_lines_tells_which_is_the_earlier(corpus: Corpus) -> None:
    import_texts(corpus, NEAR, FIRST)

    assert links() == {NEAR: None, FIRST: NEAR}


def test_sources_of_an_earlier_import_are_compared_with(corpus: Corpus) -> None:
    import_texts(corpus, FIRST, FAR, handling=Handling.OFF)

    report = import_texts(corpus, NEAR)

    assert report.near_duplicates == 1
    assert links()[NEAR] == FIRST


def test_sources_that_somebody_adds_meanwhile_are_compared_with(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sentences, "ROWS_PER_TRANSACTION", 1)

    def rows() -> Iterator[Row]:
        yield Row(1, FAR)
        import_texts(corpus, FIRST)
        yield Row(2, NEAR)
        yield Row(3, NEAR_TO_BOTH)

    import_sentences(rows(), corpus=corpus)

    assert links() == {FAR: None, FIRST: None, NEAR: FIRST, NEAR_TO_BOTH: FIRST}


def test_importing_again_links_nothing_anew(corpus: Corpus) -> None:
    import_texts(corpus, FIRST, NEAR)

    report = import_texts(corpus, NEAR, FIRST)

    assert (report.duplicates, report.near_duplicates) == (2, 0)
    assert links() == {FIRST: None, NEAR: FIRST}


def test_sentences_of_another_corpus_are_not_compared_with(corpus: Corpus) -> None:
    import_texts(Corpus.objects.create(name="Others"), FIRST)

    assert import_texts(corpus, NEAR).near_duplicates == 0


def test_near_duplicates_can_be_skipped(corpus: Corpus) -> None:
    report = import_texts(corpus, FIRST, NEAR, FAR, handling=Handling.SKIP)

    assert (report.added, report.near_duplicates) == (2, 0)
    assert report.refused == {"near_duplicate": 1}
    assert report.first_refusals == [Refusal(2, "near_duplicate")]
    assert links() == {FIRST: None, FAR: None}


def test_the_id_of_a_skipped_sentence_is_free(corpus: Corpus) -> None:
    rows = [Row(1, FIRST, "a"), Row(2, NEAR, "b"), Row(3, FAR, "b")]

    report = import_sentences(rows, corpus=corpus, near_duplicates=Handling.SKIP)

    assert report.refused == {"near_duplicate": 1}
    assert list(links()) == [FIRST, FAR]


def test_nobody_looks_where_it_is_switched_off(corpus: Corpus) -> None:
    report = import_texts(corpus, FIRST, NEAR, handling=Handling.OFF)

    assert (report.added, report.near_duplicates) == (2, 0)
    assert links() == {FIRST: None, NEAR: None}


def test_a_link_goes_when_the_earlier_sentence_is_deleted(corpus: Corpus) -> None:
    import_texts(corpus, FIRST, NEAR)

    Sentence.objects.get(text=FIRST).delete()

    assert links() == {NEAR: None}


@hypothesis_settings(max_examples=25)
@given(
    texts=st.lists(
        st.lists(st.sampled_from("abc"), min_size=1, max_size=9).map(" ".join), max_size=9
    ),
    at_once=st.integers(1, 4),
)
def test_rows_of_several_transactions_are_linked_alike(texts: list[str], at_once: int) -> None:
    corpus = Corpus.objects.create(name="Tests")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sentences, "ROWS_PER_TRANSACTION", at_once)
        import_texts(corpus, *texts)

    linked = links()
    Sentence.objects.all().delete()
    corpus.delete()

    assert linked == first_near(list(dict.fromkeys(texts)))


def first_near(texts: list[str]) -> dict[str, str | None]:
    """The texts, each with the first before it that it nearly repeats."""

    def near(one: str, other: str) -> bool:
        return are_near(shingles(one), shingles(other), threshold=THRESHOLD)

    return {
        text: next((other for other in texts[:place] if near(text, other)), None)
        for place, text in enumerate(texts)
    }
