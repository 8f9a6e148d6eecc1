"""Who answered on which pair, told from judgments that pass once."""

import pytest

from annotation.dataset.differences import SHOWN, Difference
from annotation.dataset.panels import Panels
from annotation.dataset.rows import JudgmentRow


def filled(*judgments: JudgmentRow) -> Panels:
    """The panels of one judged pair, answered on two labels."""
    panels = Panels(["p"], labels=2)
    panels.fill(judgments)
    return panels


def test_answers_are_counted_by_their_label() -> None:
    panels = filled(*(JudgmentRow("p", f"a{n}", int(n < 2), None) for n in range(5)))
    assert (panels.tallies, panels.found) == ({"p": (3, 2)}, [])


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (JudgmentRow("q", "b", 1, None), "b judged q, which is no judged pair"),
        (JudgmentRow("p", "b", 2, None), "b gave p the label 2"),
        (JudgmentRow("p", "b", -1, None), "b gave p the label -1"),
        (JudgmentRow("p", "a", 0, None), "a judged p twice"),
    ],
)
def test_an_answer_that_cannot_be_is_told_with_its_line_and_not_counted(
    row: JudgmentRow, what: str
) -> None:
    panels = filled(JudgmentRow("p", "a", 1, None), row)
    assert panels.found == [Difference("judgments.jsonl", what, 2)]
    assert panels.tallies == {"p": (0, 1)}


def test_of_many_answers_that_cannot_be_the_first_are_told() -> None:
    panels = filled(*(JudgmentRow("q", f"a{n}", 1, None) for n in range(SHOWN + 5)))
    assert [difference.line for difference in panels.found] == list(range(1, SHOWN + 1))
