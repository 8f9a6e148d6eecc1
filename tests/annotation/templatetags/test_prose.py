"""Guidelines are written by managers and read by everybody: nothing in them may act."""

import pytest

from annotation.models import Intervention
from annotation.templatetags.prose import markdown, why


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[go](javascript:alert(1))",
        '<img src="x" onerror="alert(1)">',
        "![x](https://elsewhere.example/pixel.png)",
        '<form action="https://elsewhere.example"><input name="password"></form>',
        '<p style="position: fixed">over all</p>',
    ],
)
def test_nothing_that_acts_or_loads_gets_through(text):
    html = markdown(text)
    acting = ("<script", "<img", "<form", "<input", "<p style", 'href="javascript')
    assert [part for part in acting if part in html] == []


def test_lists_tables_and_emphasis_are_kept():
    html = markdown("- *one*\n- **two**\n\n| a | b |\n|---|---|\n| c | d |")
    assert "<em>one</em>" in html
    assert "<strong>two</strong>" in html
    assert "<td>c</td>" in html


def test_headings_stand_below_the_title_of_the_page():
    assert "<h2>Guidelines</h2>" in markdown("# Guidelines")


def test_a_rule_gives_its_reason_anew_and_a_person_as_it_was_written():
    figures = {"flag": "known_wrong", "answers": 8, "wrong": 7}
    of_rule = Intervention(reason="Auf Deutsch.", evidence=figures)
    assert why(of_rule) == "7 of 8 pairs whose answer is known were answered otherwise."
    assert why(Intervention(reason="Auf Deutsch.")) == "Auf Deutsch."
