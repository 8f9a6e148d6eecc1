import pytest

from generation.nlp.holds import in_brackets, in_quotes, is_glued
from generation.nlp.tagging import Token


def tokens(text: str) -> list[Token]:
    """One token a character; an underscore is the space after a token."""
    following = [*text[1:], ""]
    pairs = zip(text, following, strict=True)
    return [Token(a, "", "", " " if b == "_" else "") for a, b in pairs if a != "_"]


def test_what_stands_in_brackets_nested_or_not() -> None:
    inside = in_brackets(tokens("a(b[c]d)e)f"))
    assert [t for t, i in zip("a(b[c]d)e)f", inside, strict=True) if i] == list("(b[c]d")


@pytest.mark.parametrize("text", ["a“b”c", 'a"b"c', "a«b»c"])
def test_what_stands_in_quotation_marks(text: str) -> None:
    assert in_quotes(tokens(text)) == [False, True, True, False, False]


def test_an_unclosed_quotation_reaches_to_the_end() -> None:
    assert in_quotes(tokens('a"bc')) == [False, True, True, True]


@pytest.mark.parametrize(
    ("text", "glued"),
    [("a_b_c", False), ("a-b_c", True), ("a_b/c", True), ("a_b,c", False), ("(b)", False)],
)
def test_a_word_is_glued_to_a_hyphen_or_a_slash_but_not_to_a_comma(text: str, glued: bool) -> None:
    row = tokens(text)
    place = next(i for i, token in enumerate(row) if token.text == "b") if glued else 1
    assert any(is_glued(row, i, i + 1) for i in (place,)) == glued
