"""Lines that are put together by hand are what `json.dumps` gives; cells fit into TSV."""

import json
from dataclasses import asdict, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset import lines
from annotation.dataset.content import AdjudicationRow, GuestRow
from annotation.dataset.rows import JudgmentRow, ReleasedPair, SentenceRow

NUMBER = st.none() | st.floats(allow_nan=False, allow_infinity=False)
TEXT = st.none() | st.text()
VOTES = st.none() | st.tuples(st.integers(0, 9), st.integers(0, 9))
VIA = st.lists(st.text()).map(tuple)
PAIRS = st.builds(ReleasedPair, via=VIA, votes=VOTES, subset=TEXT, split=TEXT, origin=st.text())
CELLS = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]))


@given(
    st.one_of(
        st.tuples(st.builds(JudgmentRow, seconds=NUMBER), st.just(lines.judgment_line)),
        st.tuples(PAIRS, st.just(lines.pair_line)),
        st.tuples(
            st.builds(SentenceRow, group=st.text(min_size=1), correction=TEXT),
            st.just(lines.sentence_line),
        ),
        st.tuples(st.builds(AdjudicationRow), st.just(lines.adjudication_line)),
        st.tuples(st.builds(GuestRow, score=NUMBER), st.just(lines.guest_line)),
    )
)
def test_every_line_is_what_json_gives(row_and_line):
    row, line = row_and_line
    fields = asdict(row) if is_dataclass(row) else row._asdict()
    assert line(row) == json.dumps(fields, ensure_ascii=False) + "\n"


@given(st.lists(st.tuples(CELLS, CELLS, st.integers(0, 9)), min_size=1))
def test_rows_at_once_are_the_lines_of_each(rows):
    assert lines.tsv_lines(rows) == "".join(map(lines.tsv_line, rows))


def test_a_cell_that_tsv_cannot_hold_is_refused_wherever_it_stands():
    for text in ("a\tb", "a\nb", "a\rb"):
        for place in range(3):
            rows = [("id", "a", "b", 1)] * 3
            rows[place] = ("id", text, "b", 1)
            for refusing, what in ((lines.tsv_line, rows[place]), (lines.tsv_lines, rows)):
                with pytest.raises(ValueError, match="a tab or a line break"):
                    refusing(what)
