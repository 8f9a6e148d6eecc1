"""People on a page, as its reader may know them."""

import pytest
from django.template import Context, Template

from accounts.models import User
from annotation.models import Project
from annotation.selectors.naming import Naming

HOSTILE = User(pk=7, username="<i>Ada</i>")


def shown(tag: str, **context: object) -> str:
    return Template("{% load people %}" + tag).render(Context({"user": HOSTILE, **context}))


def test_a_name_stands_apart_from_the_text_around_it_and_is_text():
    named = Naming(Project(), by_name=True)
    assert shown("{% called user %}", naming=named) == "<bdi>&lt;i&gt;Ada&lt;/i&gt;</bdi>"


def test_where_there_can_be_no_element_there_is_none():
    named = Naming(Project(), by_name=True)
    assert shown("{% called user bare=True %}", naming=named) == "&lt;i&gt;Ada&lt;/i&gt;"


def test_the_reader_decides_what_people_are_called():
    told = shown("{% called user %}", naming=Naming(Project(), by_name=False))
    assert "annotator-" in told
    assert "Ada" not in told


def test_a_page_that_forgets_its_reader_names_nobody():
    with pytest.raises(KeyError, match="naming"):
        shown("{% called user %}")
