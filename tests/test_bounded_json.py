"""Free JSON, stored as it is."""

import json

import pytest

from common import bounded_json
from common.bounded_json import InvalidJSON


def test_free_json_is_taken_as_it_is_or_refused_with_the_reason():
    for text in (f'"{"x" * 65_534}"', '{"a": [1.5, null, true]}', f"{2**63}", '"\\ud83d\\ude00"'):
        assert bounded_json.read(text) == json.loads(text)
    for text, why in [
        ('{"a": {"b": [1, "\\u0000"]}}', "holds a NUL"),
        ('{"a": {"\\ud800": 1}}', "surrogates not allowed"),
        ('["\\udc00"]', "surrogates not allowed"),
        ("1e999", "Out of range"),
        ("NaN", "Out of range"),
        ("9" * 5_000, "This is not JSON"),
        ("{", "This is not JSON"),
        ("[" * 50_000, "nested too deeply"),
        (f'"{"x" * 65_535}"', "longer than 65,536 bytes"),
    ]:
        with pytest.raises(InvalidJSON, match=why):
            bounded_json.read(text)
