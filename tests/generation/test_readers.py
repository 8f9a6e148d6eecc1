"""Which texts and ids a sentence may have, whatever file it comes from."""

import pytest

from generation.nlp.text import RefusedText
from generation.readers import Row, row
from generation.records import RefusedLine


def test_a_text_is_stored_in_normal_form_c_without_space_around_it():
    assert row(1, {"text": " Cafe\u0301. ", "id": "a"}) == Row(1, "Caf\u00e9.", external_id="a")


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(RefusedText) as refused:
        row(1, {"text": "abcde"}, max_characters=4)
    assert refused.value.reason == "too_long"


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"id": "1\x07"}, "bad_id"),
        ({"id": "x" * 201}, "bad_id"),
        ({"id": "\ud800"}, "bad_id"),
        ({"group": "\0"}, "bad_group"),
    ],
)
def test_ids_and_groups_are_short_texts(values, reason):
    with pytest.raises(RefusedLine) as refused:
        row(1, {"text": "One.", **values})
    assert refused.value.reason == reason
