"""Near-duplicates among definitions: equal, contained, or with a few typos."""

import pytest

from generation.nlp.near_equal import near_equal, plain_text

STACK = "a stack is a list in which the newest element leaves first"
CASES = [
    # Equal but for case, punctuation and spaces.
    ("A linear data structure.", "a linear data structure", "equal"),
    ("First in, first out", "FIRST IN FIRST OUT!", "equal"),
    ("A read-only list", "A read only list", "equal"),
    ("A process’s memory", "a processs memory", "equal"),
    ("(computing) a queue", "computing: a queue", "equal"),
    ("A  tree   of nodes", "A tree of nodes", "equal"),
    ("Straße", "STRASSE", "equal"),
    ("...", "!?", "equal"),
    # One is a run of whole words of the other.
    ("a list of nodes", "It is a list of nodes, each with a pointer", "contained"),
    ("It is a list of nodes, each with a pointer", "a list of nodes", "contained"),
    ("first out", "last in, first out", "contained"),
    ("A tree.", "a tree of nodes", "contained"),
    ("memory", "The place in memory", "contained"),
    # A few typos.
    (STACK, STACK.replace("newest", "newset"), "typos"),
    (STACK, STACK.replace("element", "elements"), "typos"),
    (STACK, STACK.replace("list", "lists"), "typos"),
    (STACK, STACK.replace("a stack", "stack") + "s", "typos"),
    ("a linear data structure", "a linear data strucutre", "typos"),
    ("colour of a node", "color of a node", "typos"),
    ("abcdefghij", "abcdefghix", "typos"),
    # Other texts.
    ("abcdefghij", "abcdefghxy", None),
    ("list", "a listing of files", None),
    ("out first", "first in, first out", None),
    ("a list of nodes", "a list of linked nodes", None),
    ("a stack of plates", "a queue of people", None),
    ("It grows.", "It shrinks.", None),
    ("C++", "C", None),
    ("a tree", "a free", None),
    ("the newest leaves first", "first leaves the newest", None),
    ("last in first out", "first in last out", None),
]


@pytest.mark.parametrize(("one", "other", "how"), CASES)
def test_thirty_pairs_are_told_apart_in_either_order(one, other, how):
    assert (
        near_equal(plain_text(one), plain_text(other))
        == near_equal(plain_text(other), plain_text(one))
        == how
    )
