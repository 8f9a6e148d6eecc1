"""Lines that are put together by hand are what `json.dumps` gives; cells fit into TSV."""

import json
from dataclasses import asdict

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
CELLS = st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]))


@given(
    st.builds(JudgmentRow, seconds=NUMBER),
    st.builds(ReleasedPair, via=VIA, votes=VOTES, subset=TEXT, split=TEXT, origin=st.text()),
    st.builds(SentenceRow, group=st.none() | st.text(min_size=1), correction=TEXT),
    st.builds(AdjudicationRow),
    st.builds(GuestRow, score=NUMBER),
)
def test_every_line_is_what_json_gives(judgment, pair, sentence, adjudication, guest):
    for line, row in (
        (lines.judgment_line(judgment), judgment._asdict()),
        (lines.pair_line(pair), pair._asdict()),
        (lines.adjudication_line(adjudication), asdict(adjudication)),
        (lines.guest_line(guest), asdict(guest)),
    ):
        assert line == json.dumps(row, ensure_ascii=False) + "\n"
    fields = {name: value for name, value in sentence._asdict().items() if value or name != "group"}
    assert lines.sentence_line(sentence) == json.dumps(fields, ensure_ascii=False) + "\n"


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
