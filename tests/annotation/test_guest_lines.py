"""What a model says of pairs, read a line at a time."""

import json
from io import BytesIO
from uuid import UUID

import pytest

from annotation.guest_lines import GuestLine, read
from annotation.labelled_lines import BadLine
from generation.records import Format, UnreadableFile

PAIR = UUID("6f0c9f4e-6d0a-4a51-9f0c-0d6a5b2f9a11")


def lines(text, file_format=Format.TSV, max_label=1):
    return list(read(BytesIO(text.encode()), file_format, max_label=max_label))


def test_a_label_is_read_with_its_score_or_without():
    text = f"pair\tlabel\tscore\n{PAIR}\t1\t0.75\n\n{PAIR}\t0\t\n"
    assert lines(text) == [GuestLine(2, PAIR, 1, 0.75), GuestLine(4, PAIR, 0)]


@pytest.mark.parametrize("value", [1, "1"])
def test_json_lines_may_write_numbers(value):
    text = json.dumps({"pair": str(PAIR), "label": value, "score": 0.5})
    assert lines(text, Format.JSONL) == [GuestLine(1, PAIR, 1, 0.5)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("no id\t1\t", "pair_is_no_id"),
        (f"{PAIR}\t2\t", "label_not_on_the_scale"),
        (f"{PAIR}\t\t", "label_not_on_the_scale"),
        (f"{PAIR}\t1\t1.5", "score_not_from_0_to_1"),
        (f"{PAIR}\t1\tnan", "score_not_from_0_to_1"),
        (f"{PAIR}\t1\tsure", "score_not_from_0_to_1"),
        (f"{PAIR}\t1", "wrong_columns"),
    ],
)
def test_a_bad_line_has_its_reason_and_the_next_is_read(line, reason):
    text = f"pair\tlabel\tscore\n{line}\n{PAIR}\t1\t\n"
    assert lines(text) == [BadLine(2, reason, line), GuestLine(3, PAIR, 1)]


def test_grades_are_labels_of_a_graded_scale():
    assert lines(f"pair\tlabel\n{PAIR}\t3\n", max_label=3) == [GuestLine(2, PAIR, 3)]


def test_a_file_without_its_columns_is_not_read():
    with pytest.raises(UnreadableFile, match="label"):
        lines("pair\n")
