"""Lines of known pairs: each gives a pair, or itself with a reason."""

import pytest

from annotation.known_lines import KnownPair, Refused, read
from generation.records import UnreadableFile

HEADER = b"sentence1\tsentence2\tlabel\texplanation\n"


def lines(data: bytes, *, max_label: int = 1) -> list[KnownPair | Refused]:
    return list(read(HEADER + data, max_label=max_label))


def test_a_line_is_a_pair_with_its_answer_and_why():
    assert lines(b"A b.\tB a.\t0\t A swap. \n") == [KnownPair("A b.", "B a.", 0, "A swap.")]


def test_columns_stand_in_any_order_and_others_are_passed_over():
    data = b"label\tid\tsentence2\tsentence1\n3\tx\tB a.\tA b.\n"
    assert list(read(data, max_label=3)) == [KnownPair("A b.", "B a.", 3)]


def test_empty_lines_are_nothing():
    assert lines(b"\r\n\nA.\tB.\t1\t\n\n") == [KnownPair("A.", "B.", 1)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A.\tB.\t2\t", "bad_label"),
        ("A.\tB.\tsame\t", "bad_label"),
        ("A.\tB.\t-1\t", "bad_label"),
        ("A.\tB.\t٣\t", "bad_label"),
        ("A.\tB.\t" + "1" * 5000 + "\t", "bad_label"),
        ("\tB.\t1\t", "empty"),
        ("A.\tB.", "wrong_columns"),
        ("A\x07.\tB.\t1\t", "control_character"),
        ("A" * 2001 + "\tB.\t1\t", "too_long"),
    ],
)
def test_a_bad_line_comes_back_with_its_number_and_its_reason(line, reason):
    found = lines(f"A.\tB.\t1\t\n{line}\n".encode())
    assert found == [KnownPair("A.", "B.", 1), Refused(3, reason, line)]


def test_a_line_that_is_not_text_stops_nothing():
    broken, good = lines(b"\xff\tB.\t1\t\nA.\tB.\t1\t\n")
    assert isinstance(broken, Refused)
    assert (broken.line, broken.reason) == (2, "broken_utf8")
    assert good == KnownPair("A.", "B.", 1)


def test_without_its_columns_a_file_cannot_be_read():
    with pytest.raises(UnreadableFile, match="label"):
        list(read(b"sentence1\tsentence2\nA.\tB.\n", max_label=1))
