"""Files for spreadsheets: nothing runs, nothing is lost, and Excel reads the letters."""

import csv
import io
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounts.cells import FORMULA
from annotation.views.study import spreadsheets

DANGEROUS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1+1", "\r=1+1", "\n=1+1", "  =1+1", "＝1+1"]


def read(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


@pytest.mark.parametrize("text", DANGEROUS)
def test_a_text_that_a_spreadsheet_might_run_begins_with_an_apostrophe(text):
    assert spreadsheets.cell(text) == f"'{text}"


@pytest.mark.parametrize("text", ["", "Ada", "1-2", "a=b", "'quoted", "–dash"])
def test_other_texts_stay_as_they_are(text):
    assert spreadsheets.cell(text) == text


def test_numbers_stay_numbers_and_nothing_is_empty():
    assert [spreadsheets.cell(value) for value in (-1, 0.5, None, True, False)] == [
        -1,
        0.5,
        "",
        "yes",
        "no",
    ]


def test_times_are_of_iso_8601():
    assert spreadsheets.cell(datetime(2026, 1, 2, 3, 4, tzinfo=UTC)) == "2026-01-02T03:04:00+00:00"


@given(
    st.lists(st.lists(st.text(st.characters(codec="utf-8"), max_size=9), min_size=1), max_size=5)
)
def test_every_text_comes_back_whole_and_none_is_a_formula(rows):
    found = read("".join(spreadsheets.lines(["head"], rows)))[1:]
    assert [[text.removeprefix("'") for text in row] for row in found] == [
        [text.removeprefix("'") for text in row] for row in rows
    ]
    assert not any(text.startswith(FORMULA) for row in found for text in row)


def test_the_file_says_what_it_is():
    reply = spreadsheets.download("Pairs of “Zürich” / 2026", ["id", "Wörter"], [["1", "ja"]])
    assert reply["Content-Type"] == "text/csv; charset=utf-8"
    assert reply["Content-Disposition"] == 'attachment; filename="pairs-of-zurich-2026.csv"'
    assert b"".join(reply) == "\ufeffid,Wörter\r\n1,ja\r\n".encode()


def test_a_name_without_letters_is_a_name_all_the_same():
    assert spreadsheets.download("///", [], [])["Content-Disposition"].endswith('"table.csv"')


def test_lines_are_made_as_they_are_read():
    def rows():
        yield ["1"]
        raise RuntimeError("read too far")

    made = spreadsheets.lines(["id"], rows())
    assert [next(made), next(made)] == ["\ufeffid\r\n", "1\r\n"]
