"""Free JSON: whatever is accepted can be stored and sent back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation import free_json
from generation.free_json import NotAcceptable

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
LEAVES = (
    *(st.none(), st.booleans(), st.integers(-(2**63 - 1), 2**63 - 1), TEXTS),
    st.floats(allow_nan=False, allow_infinity=False),
)
VALUES = st.recursive(
    st.one_of(LEAVES),
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(TEXTS, parts, max_size=3),
    max_leaves=6,
)


@given(VALUES)
def test_ordinary_json_is_taken_as_it_is(value):
    told = json.dumps(value)
    if told.count("[") + told.count("{") <= free_json.MAX_DEPTH:
        assert free_json.read(told) == value


@given(st.binary(max_size=40))
def test_bytes_are_refused_or_can_be_sent_back(body):
    try:
        value = free_json.read(body)
    except NotAcceptable as refusal:
        str(refusal).encode()
    else:
        assert "\0" not in json.dumps(value, ensure_ascii=False)


def test_a_refusal_says_where_and_why():
    deep = "[" * 8 + "1" + "]" * 8
    assert free_json.read(deep) == [[[[[[[[1]]]]]]]]
    assert free_json.read(f'"{"x" * 65_534}"') == "x" * 65_534
    for text, why in [
        ('{"a": {"b": [1, "\\u0000"]}}', r"a\.b\[1\] holds a NUL"),
        ('{"a": {"\\ud800": 1}}', "A name in a holds half"),
        ('["\\udc00"]', r"\[0\] holds half"),
        (f'{{"a": {2**63}}}', "a is a number out of bounds"),
        (f'{{"a": -{2**63}}}', "a is a number out of bounds"),
        ("1e999", "This is a number out of bounds"),
        ("NaN", "NaN is not JSON"),
        ("{", "This is not JSON"),
        (f"[{deep}]", "nested more than 8 levels"),
        ("[" * 50_000, "nested too deeply"),
        (f'"{"x" * 65_535}"', "longer than 65,536 bytes"),
    ]:
        with pytest.raises(NotAcceptable, match=why):
            free_json.read(text)
