"""Lines of known pairs: each gives a pair, or itself with a reason."""

import json
from io import BytesIO

import pytest

from annotation.known_lines import KnownPair, read
from annotation.labelled_lines import BadLine
from generation.records import Format, UnreadableFile

HEADER = b"sentence1\tsentence2\tlabel\texplanation\n"


def lines(
    data: bytes, file_format: Format = Format.TSV, *, max_label: int = 1
) -> list[KnownPair | BadLine]:
    return list(read(BytesIO(data), file_format, max_label=max_label))


def tsv(data: bytes) -> list[KnownPair | BadLine]:
    return lines(HEADER + data)


def test_a_line_is_a_pair_with_its_answer_and_why():
    assert tsv(b"A b.\tB a.\t0\t A swap. \n") == [KnownPair("A b.", "B a.", 0, "A swap.")]


def test_columns_stand_in_any_order_and_others_are_passed_over():
    data = b"label\tid\tsentence2\tsentence1\n3\tx\tB a.\tA b.\n"
    assert lines(data, max_label=3) == [KnownPair("A b.", "B a.", 3)]


def test_empty_lines_are_nothing():
    assert tsv(b"\r\n\nA.\tB.\t1\t\n\n") == [KnownPair("A.", "B.", 1)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A.\tB.\t2\t", "label_not_on_the_scale"),
        ("A.\tB.\tsame\t", "label_not_on_the_scale"),
        ("A.\tB.\t-1\t", "label_not_on_the_scale"),
        ("A.\tB.\t٣\t", "label_not_on_the_scale"),
        ("A.\tB.\t" + "1" * 5000 + "\t", "label_not_on_the_scale"),
        ("\tB.\t1\t", "empty"),
        ("A.\tB.", "wrong_columns"),
        ("A\x07.\tB.\t1\t", "control_character"),
        ("A" * 2001 + "\tB.\t1\t", "too_long"),
    ],
)
def test_a_bad_line_comes_back_with_its_number_and_its_reason(line, reason):
    found = tsv(f"A.\tB.\t1\t\n{line}\n".encode())
    assert found == [KnownPair("A.", "B.", 1), BadLine(3, reason, line)]


def test_a_line_that_is_not_text_stops_nothing():
    broken, good = tsv(b"\xff\tB.\t1\t\nA.\tB.\t1\t\n")
    assert isinstance(broken, BadLine)
    assert (broken.line, broken.reason) == (2, "broken_utf8")
    assert good == KnownPair("A.", "B.", 1)


def test_without_its_columns_a_file_cannot_be_read():
    with pytest.raises(UnreadableFile, match="label"):
        lines(b"sentence1\tsentence2\nA.\tB.\n")


@pytest.mark.parametrize("label", [1, "1"])
def test_json_lines_may_write_the_label_as_a_number(label):
    line = json.dumps({"sentence1": "A b.", "sentence2": "B a.", "label": label})
    assert lines(line.encode(), Format.JSONL) == [KnownPair("A b.", "B a.", 1)]


@pytest.mark.parametrize("line", ["{", "[]", '{"sentence1": 1.5}', "[" * 100_000])
def test_what_is_no_record_is_refused(line):
    [refused] = lines(line.encode(), Format.JSONL)
    assert isinstance(refused, BadLine)


def test_a_language_is_a_tag():
    data = b"sentence1\tsentence2\tlabel\tlanguage\nA.\tB.\t1\tzh-Hant\nA.\tB.\t1\t<fr>\n"
    assert lines(data) == [
        KnownPair("A.", "B.", 1, language="zh-Hant"),
        BadLine(3, "bad_language", "A.\tB.\t1\t<fr>"),
    ]
