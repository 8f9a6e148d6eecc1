import pytest

from generation.nlp import phrases
from generation.nlp.holds import in_brackets, in_quotes, in_ranges, is_glued, mentioned_again
from generation.nlp.tagging import Token
from tests.generation.nlp.toy import tagged


def tokens(text: str) -> list[Token]:
    """One token a character; an underscore is the space after a token."""
    following = [*text[1:], ""]
    pairs = zip(text, following, strict=True)
    return [Token(a, "", "", " " if b == "_" else "") for a, b in pairs if a != "_"]


def test_what_stands_in_brackets_nested_or_not() -> None:
    assert in_brackets(tokens("a(b[c]d)e)f")) == {1, 2, 3, 4, 5, 6}


@pytest.mark.parametrize("text", ["a“b”c", 'a"b"c', "a«b»c"])
def test_what_stands_in_quotation_marks(text: str) -> None:
    assert in_quotes(tokens(text)) == {1, 2}


def test_an_unclosed_quotation_reaches_to_the_end() -> None:
    assert in_quotes(tokens('a"bc')) == {1, 2, 3}


@pytest.mark.parametrize("text", ["a-b_c", "a_b/c", "a_b°c"])
def test_a_word_is_glued_to_a_hyphen_or_a_slash(text: str) -> None:
    row = tokens(text)
    place = next(place for place, token in enumerate(row) if token.text == "b")
    assert is_glued(row, place, place + 1)


@pytest.mark.parametrize("text", ["a_b_c", "a_b,c", "(b)", "“b”", "$b."])
def test_a_word_is_not_glued_to_punctuation(text: str) -> None:
    row = tokens(text)
    place = next(place for place, token in enumerate(row) if token.text == "b")
    assert not is_glued(row, place, place + 1)


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("from/IN 1990/CD to/TO 1995/CD he/PRP ran/VBD", {1, 3}),
        ("2/CD or/CC 3/CD cats/NNS", {0, 2}),
        ("from/IN $/$ 2/CD to/TO $/$ 3/CD", {2, 5}),
        ("2/CD out/IN of/IN 3/CD cats/NNS", {0, 3}),
        ("two/CD of/IN the/DT three/CD cats/NNS", {0, 3}),
        ("the/DT late/JJ 1980s/NNS and/CC early/JJ 1990s/NNS", {2, 5}),
        ("from/IN 20/CD %/NN to/TO 30/CD %/NN", {1, 4}),
        ("between/IN 20/CD and/CC over/IN 30/CD cats/NNS", {1, 4}),
        ("January/NNP 2002/CD –/: May/NNP 2005/CD", {0, 3}),
        ("20/CD cats/NNS and/CC 30/CD dogs/NNS", set()),
        ("in/IN 1990/CD he/PRP met/VBD 1995/CD cats/NNS", set()),
    ],
)
def test_the_ends_of_ranges_are_found(text: str, starts: set[int]) -> None:
    sentence = tagged(text)
    found = phrases.find(sentence, entity_probability=0.95)
    assert in_ranges(sentence.tokens, found) == starts


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("Ann/NNP saw/VBD Ann/NNP Lee/NNP and/CC Bob/NNP", {0, 2}),
        ("Ann/NNP Lee/NNP saw/VBD Ann/NNP Day/NNP", set()),
    ],
)
def test_names_that_share_all_words_of_one_are_mentioned_again(text: str, starts: set[int]) -> None:
    sentence = tagged(text)
    found = phrases.find(sentence, entity_probability=0.95)
    assert mentioned_again(sentence.tokens, found) == starts
