"""Lines that are put together by hand are what `json.dumps` gives."""

import json
from dataclasses import asdict, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.content import AdjudicationRow, GuestRow
from annotation.dataset.lines import (
    adjudication_line,
    guest_line,
    judgment_line,
    pair_line,
    sentence_line,
    tsv_line,
    tsv_lines,
)
from annotation.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow

FINITE = st.floats(allow_nan=False, allow_infinity=False)
OPTIONAL_TEXT = st.none() | st.text()


def dumped(row: object) -> str:
    fields = asdict(row) if is_dataclass(row) else row._asdict()  # type: ignore
    return json.dumps(fields, ensure_ascii=False) + "\n"


@given(st.builds(JudgmentRow, seconds=st.none() | FINITE))
def test_a_judgment(row: JudgmentRow) -> None:
    assert judgment_line(row) == dumped(row)


@given(
    st.builds(
        ReleasedPair,
        via=st.lists(st.text()).map(tuple),
        votes=st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9)),
        subset=OPTIONAL_TEXT,
        split=OPTIONAL_TEXT,
        origin=st.text(),
    )
)
def test_a_pair(row: ReleasedPair) -> None:
    assert pair_line(row) == dumped(row)


@given(st.builds(SentenceRow, group=st.text(min_size=1), correction=OPTIONAL_TEXT))
def test_a_sentence(row: SentenceRow) -> None:
    assert sentence_line(row) == dumped(row)


@given(st.builds(AdjudicationRow))
def test_an_adjudication(row: AdjudicationRow) -> None:
    assert adjudication_line(row) == dumped(row)


@given(st.builds(GuestRow, score=st.none() | FINITE))
def test_a_guest(row: GuestRow) -> None:
    assert guest_line(row) == dumped(row)


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\rb"])
def test_a_cell_that_tsv_cannot_hold_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a tab or a line break"):
        tsv_line(("id", text, "b", 1))


CELLS = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]))


@given(st.lists(st.tuples(CELLS, CELLS, st.integers(0, 9)), min_size=1))
def test_rows_at_once_are_the_lines_of_each(rows: list[tuple[str, str, int]]) -> None:
    assert tsv_lines(rows) == "".join(map(tsv_line, rows))


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\rb"])
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_row_that_tsv_cannot_hold_is_found_among_others(text: str, place: int) -> None:
    rows = [("id", "a", "b", 1)] * 3
    rows[place] = ("id", text, "b", 1)
    with pytest.raises(ValueError, match="a tab or a line break"):
        tsv_lines(rows)
