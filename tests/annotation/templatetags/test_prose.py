"""Guidelines are written by managers and read by everybody: nothing in them may act."""

import pytest

from annotation.templatetags.prose import markdown


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
