"""Free JSON: whatever is accepted can be stored and sent back."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation import free_json
from generation.free_json import NotAcceptable

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8)
integers = st.integers(-free_json.MAX_INTEGER, free_json.MAX_INTEGER)
leaves = st.none() | st.booleans() | integers | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    leaves | texts,
    lambda parts: st.lists(parts, max_size=3) | st.dictionaries(texts, parts, max_size=3),
    max_leaves=8,
)


@given(values)
def test_ordinary_json_is_taken_as_it_is(value: Any) -> None:
    shallow = json.dumps(value).count("[") + json.dumps(value).count("{") <= free_json.MAX_DEPTH
    if shallow:
        assert free_json.read(json.dumps(value)) == value


@given(st.binary(max_size=40))
def test_bytes_are_refused_or_can_be_sent_back(body: bytes) -> None:
    try:
        value = free_json.read(body)
    except NotAcceptable as refusal:
        str(refusal).encode()
    else:
        assert "\0" not in json.dumps(value, ensure_ascii=False)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": {"b": [1, "\\u0000"]}}', r"a\.b\[1\] holds a NUL"),
        ('{"a": {"\\ud800": 1}}', "A name in a holds half"),
        ('["\\udc00"]', r"\[0\] holds half"),
        (f'{{"a": {2**63}}}', "a is a number out of bounds"),
        (f'{{"a": -{2**63}}}', "a is a number out of bounds"),
    ],
)
def test_a_refusal_says_where(text: str, place: str) -> None:
    with pytest.raises(NotAcceptable, match=place):
        free_json.read(text)


def test_the_depth_is_bounded() -> None:
    depth = free_json.MAX_DEPTH
    free_json.read("[" * depth + "1" + "]" * depth)

    with pytest.raises(NotAcceptable, match="nested"):
        free_json.read("[" * (depth + 1) + "1" + "]" * (depth + 1))
