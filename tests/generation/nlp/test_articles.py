import pytest

from generation.nlp.articles import agrees, takes_an

AN = "apple umbrella hour honest heir FBI MP 8 11 18 80 unimportant uninvited Egyptian only S"
A = "pear university European use one once unit UN US user utopia 1 110 180 house ewe"


@pytest.mark.parametrize("word", AN.split())
def test_words_that_take_an(word: str) -> None:
    assert takes_an(word)


@pytest.mark.parametrize("word", A.split())
def test_words_that_take_a(word: str) -> None:
    assert not takes_an(word)


def test_only_the_indefinite_article_asks_for_a_sound() -> None:
    assert agrees("the", "apple")
    assert agrees("An", "apple")
    assert not agrees("a", "apple")
    assert not agrees("an", "pear")
