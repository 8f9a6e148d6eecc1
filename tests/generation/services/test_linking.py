"""The sentence that a pair rewrites is found by its text or by its id, or is a new one."""

import pytest

from generation.models import Corpus
from generation.pair_reader import PairLine
from generation.services import linking
from generation.services.linking import SentenceBook
from generation.services.reading_ahead import Rewrite

pytestmark = pytest.mark.django_db

REWRITES = [
    Rewrite.of(PairLine(1, "A cat.", "Cat.")),
    Rewrite.of(PairLine(2, "A dog.", "Dog.", "d")),
]


@pytest.fixture
def corpus():
    return Corpus.objects.create(name="Linked")


def stored(corpus):
    """The sentences that these rewrite, as new ones of the corpus."""
    sources = [SentenceBook().source(each) for each in REWRITES]
    assert linking.store(sources, corpus=corpus) == 2
    return sources


def test_a_source_is_found_by_its_text_or_by_its_id(corpus):
    keys = [source.pk for source in stored(corpus)]
    book = SentenceBook.over(corpus, REWRITES)
    assert [book.source(each).pk for each in REWRITES] == keys
    assert linking.store(map(book.source, REWRITES), corpus=corpus) == 0


def test_a_source_of_another_corpus_is_not_found(corpus):
    stored(Corpus.objects.create(name="Other"))
    book = SentenceBook.over(corpus, REWRITES)
    assert not book.by_id
    assert not book.by_text
