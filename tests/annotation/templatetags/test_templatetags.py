"""What templates make of numbers, names, prose and tabs."""

import uuid
from types import SimpleNamespace

import pytest
from django.template import Context, Template
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from annotation.models import Intervention, Project
from annotation.selectors.naming import Naming
from annotation.templatetags import figures
from annotation.templatetags.prose import markdown, why
from annotation.templatetags.tabs import TABS, tabs

SPACE = "\N{NO-BREAK SPACE}"
KEY = uuid.uuid4()
INNER_PAGES = {
    "Overview": ["agreement", "corrections", "guests", "leases", "skips"],
    "Pairs": ["pair", "reopen_pairs"],
    "Annotators": ["annotator", "same_person"],
    "Releases": ["release", "withdraw_release"],
    "People": ["person", "qualification_set", "add_qualification_lines"],
    "Settings": ["known_pairs"],
}
OF_TWO_KEYS = {"pair", "annotator", "same_person", "release", "withdraw_release", "person"}


def test_numbers_are_rounded_and_grouped_as_the_language_does_it():
    for shown, cases in (
        (figures.number, {(47290,): "47,290", (0.5678, 2): "0.57", (21.05, 1): "21.1"}),
        (figures.number, {(None,): "–", ("", 1): "–"}),
        (figures.share, {(0.94749,): f"94.7{SPACE}%", (1,): f"100.0{SPACE}%"}),
        (figures.share, {(None,): "–", ("",): "–"}),
        (figures.shares, {((0.9391, 0.9519),): f"93.9–95.2{SPACE}%", (None,): ""}),
        (figures.between, {((-0.04, 0.62),): "-0.04 to 0.62", ("",): ""}),
        (figures.hours, {(0.001,): "1 minute", (0.5,): "30 minutes", (1.2,): "1 hour"}),
        (figures.hours, {(30,): "30 hours", (48,): "2 days"}),
    ):
        for given, expected in cases.items():
            assert shown(*given) == expected, given
    assert [figures.item({1: "one"}, key) for key in (1, 2)] == ["one", None]
    with translation.override("de"):
        assert (figures.number(47290), figures.share(0.947)) == ("47.290", f"94,7{SPACE}%")


def test_the_reader_decides_what_people_are_called_and_a_name_is_text():
    def shown(tag, **context):
        user = User(pk=7, username="<i>Ada</i>")
        return Template("{% load people %}" + tag).render(Context({"user": user, **context}))

    named = Naming(Project(), by_name=True)
    assert shown("{% called user %}", naming=named) == "<bdi>&lt;i&gt;Ada&lt;/i&gt;</bdi>"
    assert shown("{% called user bare=True %}", naming=named) == "&lt;i&gt;Ada&lt;/i&gt;"
    pseudonym = shown("{% called user %}", naming=Naming(Project(), by_name=False))
    assert pseudonym.startswith("<bdi>annotator-")
    with pytest.raises(KeyError, match="naming"):
        shown("{% called user %}")


def test_nothing_in_guidelines_acts_or_loads():
    for text, acting in (
        ("<script>alert(1)</script>", "<script"),
        ("[go](javascript:alert(1))", 'href="javascript'),
        ('<img src="x" onerror="alert(1)">', "<img"),
        ("![x](https://elsewhere.example/pixel.png)", "<img"),
        ('<form action="https://elsewhere.example"><input name="password"></form>', "<form"),
        ('<p style="position: fixed">over all</p>', "<p style"),
    ):
        assert acting not in markdown(text)
    html = markdown("# Rules\n\n- *one*\n- **two**\n\n| a | b |\n|---|---|\n| c | d |")
    for part in ("<h2>Rules</h2>", "<em>one</em>", "<strong>two</strong>", "<td>c</td>"):
        assert part in html


def test_a_rule_gives_its_reason_in_the_language_of_the_page():
    evidence = {"flag": "known_wrong", "answers": 8, "wrong": 7}
    of_rule = Intervention(reason="Auf Deutsch.", evidence=evidence)
    assert why(of_rule) == "7 of 8 pairs whose answer is known were answered otherwise."
    assert why(Intervention(reason="Auf Deutsch.")) == "Auf Deutsch."


def marked(path, *, manages=True):
    """The tabs of a page, each with how it is marked."""
    project, request = SimpleNamespace(public_id=KEY), SimpleNamespace(path=path)
    context = Context({"project": project, "request": request, "manages": manages})
    return {str(tab.name): tab.current for tab in tabs(context)}


def test_a_page_marks_the_tab_that_it_is_or_is_opened_from():
    for tab in TABS:
        found = marked(reverse(tab.route, args=[KEY]))
        assert {name: how for name, how in found.items() if how} == {str(tab.name): "page"}
    for name, routes in INNER_PAGES.items():
        for route in routes:
            found = marked(reverse(route, args=[KEY] * (1 + (route in OF_TWO_KEYS))))
            assert {each: how for each, how in found.items() if how} == {name: "true"}, route
    for_everyone = ["Overview", "Pairs", "Annotators", "Releases"]
    assert list(marked("/", manages=False)) == for_everyone
    assert list(marked("/")) == [*for_everyone, "People", "Settings", "History"]
