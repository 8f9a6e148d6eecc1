"""Every page in every state suits every person, those of errors and of the admin included."""

from unittest.mock import Mock

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from playwright.sync_api import expect

from annotation.people.selectors import members
from generation.models import GenerationRun
from tests.browser.every_page import FIRST_STATES, STATES
from tests.browser.page_check import faults, misfits

# What Django draws itself: cells that are edited in a list, search, filters, breadcrumbs.
OF_DJANGO = ["#result_list td input", "#searchbar", "#changelist-filter", ".breadcrumbs"]
IN_LANGUAGES = [(name, "en") for name in STATES]
IN_LANGUAGES += [(state.name, each) for state in FIRST_STATES.values() for each in ("de", "ar")]


@pytest.mark.parametrize(("name", "language"), IN_LANGUAGES)
def test_a_page_suits_every_person(checked_page, complete, base_url, name, language):
    STATES[name].prepare(complete)
    STATES[name].open(checked_page, complete, base_url, language)
    assert faults(checked_page, language=language) == []


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", STATES)
def test_no_box_leaves_its_parent(checked_page, complete, base_url, name, language):
    STATES[name].prepare(complete)
    complete.prepare("lengthen")
    STATES[name].open(checked_page, complete, base_url, language)
    assert misfits(checked_page) == []


def test_pages_of_errors_suit_every_person(checked_page, signed_in, complete, monkeypatch):
    page = signed_in(complete.person("annotator"), checked_page)
    headings = {
        PermissionDenied: "You don’t have access to this page",
        RuntimeError: "Something went wrong on our side",
    }
    for error, heading in (headings | {Http404: "Page not found"}).items():
        monkeypatch.setattr(members, "of_user", Mock(side_effect=error))
        page.goto("/")
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
        assert faults(page) == []
    page.context.clear_cookies()
    page.goto("/accounts/login/")
    page.context.clear_cookies()
    page.locator("form:has([name=login])").evaluate("form => form.submit()")
    expect(page.get_by_role("heading", name="This page has expired")).to_be_visible()
    assert faults(page) == []


def test_pages_of_the_admin_that_are_ours_suit_every_person(checked_page, signed_in, complete):
    page = signed_in(complete.person("superuser"), checked_page)
    run = GenerationRun.objects.earliest("pk").pk
    pages = {"index": [], "accounts_user_changelist": [], "accounts_user_add": []}
    pages |= {"annotation_project_changelist": []}
    pages |= {"generation_generationrun_changelist": [], "generation_generationrun_change": [run]}
    for name, arguments in pages.items():
        page.goto(reverse(f"admin:{name}", args=arguments))
        assert faults(page, without=OF_DJANGO) == [], name


def test_control_faults_are_found(checked_page):
    page = checked_page
    page.goto("/accounts/login/")
    for selector, spoil in {
        "label": "node => node.remove()",
        "[name=password]": "node => { node.style.outline = 0 }",
        ".primary": "node => { node.onkeydown = event => event.preventDefault() }",
        "main": "node => { node.style.minWidth = '380px' }",
    }.items():
        page.locator(selector).first.evaluate(spoil)
    found = faults(page, language="de")
    for fault in ("language: en", "no focus to be seen", "not reached", "light label", "wider"):
        assert any(each.startswith(fault) for each in found), fault
