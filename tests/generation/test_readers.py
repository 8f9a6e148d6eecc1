"""Which texts and ids a sentence may have, whatever file it comes from."""

import pytest

from generation.nlp.text import RefusedText
from generation.readers import Row, row
from generation.records import RefusedLine


def test_a_text_is_stored_in_normal_form_c_without_space_around_it():
    assert row(1, {"text": " Cafe\u0301. ", "id": "a"}) == Row(1, "Caf\u00e9.", external_id="a")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        *(("", "empty"), ("  ", "empty"), ("a\x00b", "nul"), ("a\x07b", "control_character")),
        *(("a\tb", "tab"), ("a\rb", "line_break"), ("a\ud800b", "surrogate")),
        *(("a\uffffb", "noncharacter"), ("a\u202eb", "direction_control"), ("abcde", "too_long")),
    ],
)
def test_what_is_no_sentence_is_refused_with_the_reason(text, reason):
    with pytest.raises(RefusedText) as refused:
        row(1, {"text": text}, max_characters=4)
    assert refused.value.reason == reason


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
