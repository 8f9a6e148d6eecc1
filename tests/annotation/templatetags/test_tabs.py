"""The tabs of a study: which there are, and which is marked."""

import uuid
from types import SimpleNamespace

import pytest
from django.template import Context
from django.urls import reverse

from annotation.templatetags.tabs import TABS, tabs

KEY = uuid.uuid4()


def shown(path: str, *, manages: bool = True) -> dict[str, str]:
    """The tabs of a page, each with how it is marked."""
    project, request = SimpleNamespace(public_id=KEY), SimpleNamespace(path=path)
    context = Context({"project": project, "request": request, "manages": manages})
    return {str(tab.name): tab.current for tab in tabs(context)}


@pytest.mark.parametrize("tab", TABS, ids=lambda tab: tab.route)
def test_a_tab_is_marked_as_the_page_that_it_leads_to(tab):
    marked = shown(reverse(tab.route, args=[KEY]))
    assert [name for name, current in marked.items() if current] == [tab.name]
    assert marked[str(tab.name)] == "page"


@pytest.mark.parametrize(
    ("route", "keys", "name"),
    [
        ("agreement", 1, "Overview"),
        ("corrections", 1, "Overview"),
        ("guests", 1, "Overview"),
        ("leases", 1, "Overview"),
        ("skips", 1, "Overview"),
        ("pair", 2, "Pairs"),
        ("reopen_pairs", 1, "Pairs"),
        ("annotator", 2, "Annotators"),
        ("same_person", 2, "Annotators"),
        ("release", 2, "Releases"),
        ("withdraw_release", 2, "Releases"),
        ("person", 2, "People"),
        ("qualification_set", 1, "People"),
        ("add_qualification_lines", 1, "People"),
        ("known_pairs", 1, "Settings"),
    ],
)
def test_inner_pages_mark_the_tab_that_they_are_opened_from(route, keys, name):
    marked = shown(reverse(route, args=[KEY] * keys))
    assert {each: current for each, current in marked.items() if current} == {name: "true"}


def test_people_and_settings_are_for_managers():
    everybody = ["Overview", "Pairs", "Annotators", "Releases"]
    assert list(shown("/", manages=False)) == everybody
    assert list(shown("/")) == [*everybody, "People", "Settings", "History"]
