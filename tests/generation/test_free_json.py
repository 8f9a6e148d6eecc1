"""Free JSON: whatever is accepted can be stored and sent back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation import free_json
from generation.free_json import NotAcceptable

DEEP = "[" * 8 + "1" + "]" * 8


@given(st.binary(max_size=40) | st.text(max_size=20).map(lambda text: json.dumps(text).encode()))
def test_what_is_not_refused_is_taken_as_it_is_and_can_be_stored(body):
    try:
        value = free_json.read(body)
    except NotAcceptable as refusal:
        str(refusal).encode()
    else:
        assert value == json.loads(body)
        assert b"\0" not in json.dumps(value, ensure_ascii=False).encode()


def test_a_refusal_says_where_and_why():
    for text in (DEEP, f'"{"x" * 65_534}"', '{"a": [1.5, null, true]}', f"{2**63 - 1}"):
        assert free_json.read(text) == json.loads(text)
    for text, why in [
        ('{"a": {"b": [1, "\\u0000"]}}', r"a\.b\[1\] holds a NUL"),
        ('{"a": {"\\ud800": 1}}', "A name in a holds half"),
        ('["\\udc00"]', r"\[0\] holds half"),
        (f'{{"a": {2**63}}}', "a is a number out of bounds"),
        (f"-{2**63}", "This is a number out of bounds"),
        ("1e999", "This is a number out of bounds"),
        ("NaN", "NaN is not JSON"),
        ("{", "This is not JSON"),
        (f"[{DEEP}]", "nested more than 8 levels"),
        ("[" * 50_000, "nested too deeply"),
        (f'"{"x" * 65_535}"', "longer than 65,536 bytes"),
    ]:
        with pytest.raises(NotAcceptable, match=why):
            free_json.read(text)
