"""The most used pages suit every person; tests/thorough/pages asks the same of every page."""

import re

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.browser.every_page import FIRST_STATES, STATES, routes
from tests.browser.page_check import faults
from tests.browser.work_page import keys
from tests.studies.complete import ROLES

MOST_USED = [
    *(("account_login: anonymous", "de"), ("join: anonymous -> to_sign_up", "en")),
    *(("welcome: annotator + with_consent", "de"), ("qualify: annotator + qualifying", "en")),
    *(("home: annotator", "ar"), ("work/judge: annotator", "ar")),
    *(("work/judge: annotator -> s", "de"), ("work/correct: annotator -> f", "en")),
    *(("overview: manager", "en"), ("pair: manager", "de")),
    *(("project_settings: manager", "ar"), ("release: manager", "en")),
    *((f"work/{kind}: annotator + translating", "de") for kind in ("translate", "validate")),
    ("release: manager + translated_release", "de"),
]


@pytest.mark.parametrize("study_state", sorted({STATES[name].given for name, _ in MOST_USED}))
def test_a_page_suits_every_person(open_checked, complete, base_url, study_state, subtests):
    pages = [(STATES[name], language) for name, language in MOST_USED]
    pages = [page for page in pages if page[0].given == study_state]
    pages[0][0].prepare(complete)
    for state, language in pages:
        with subtests.test(page=state.name):
            page = open_checked()
            state.open(page, complete, base_url, language)
            assert faults(page, language=language) == []


def test_every_page_that_anybody_can_open_has_a_state(complete):
    # The viewer of the schema is not ours, and the schema is no page.
    others = set(routes()) - FIRST_STATES.keys() - {"api_docs", "api_schema"}
    for role in ROLES:
        client = Client(raise_request_exception=False)
        if user := complete.people[role]:
            client.force_login(user)
        for name in others:
            address = complete.address(name)
            reply = client.get(address, follow=True)
            is_page = b"<!DOCTYPE html>" in getattr(reply, "content", b"")
            opens = reply.status_code == 200 and reply.request["PATH_INFO"] == address
            assert not (is_page and opens), (name, role)


def test_a_language_is_chosen_in_the_menu_of_the_account(page, signed_in, complete):
    def choose(name):
        page.locator("[popovertarget=account]").press("Enter")
        page.get_by_role("group", name=re.compile("Language|Sprache")).get_by_text(name).press(
            "Enter"
        )

    signed_in(complete.person("annotator"))
    page.goto(complete.address("guidelines"))
    choose("Deutsch")
    expect(page.get_by_role("heading", name="Richtlinien")).to_be_visible()
    expect(page).to_have_url(re.compile(complete.address("guidelines")))
    page.goto("/")
    keys(page, "Tab", "Enter")  # the first stop of the Tab key skips to the content
    expect(page.locator("#main")).to_be_focused()
    choose("English")
    expect(page.get_by_role("heading", name="Your projects")).to_be_visible()


def test_help_opens_beside_the_page(page, signed_in, complete):
    signed_in(complete.person("manager"))
    page.goto(complete.address("people"))
    page.get_by_role("link", name="Help").click()
    beside = page.get_by_role("dialog")
    expect(beside.get_by_role("heading", name="Checking quality")).to_be_visible()
    beside.get_by_role("searchbox").fill("bigrams")
    page.keyboard.press("Enter")
    expect(beside.get_by_role("heading", name="hit")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="People", level=1)).to_be_visible()
