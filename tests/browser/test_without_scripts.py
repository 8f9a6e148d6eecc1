"""The same work with scripts switched off: plain forms, plain pages."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Correction, Judgment, Project, Skip
from tests.annotation import cast
from tests.browser.people import sign_in


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study(guidelines="Judge *fairly*.")
    cast.candidates(project, [(f"One sees {n}.", f"{n} sees one.") for n in range(2)])
    cast.pairs(project, 2)
    return project


@pytest.fixture
def page(browser: Browser, project: Project, live_server: LiveServer) -> Iterator[Page]:
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    sign_in(page, cast.person(project).user, live_server=live_server)
    yield page
    context.close()


def test_a_pair_is_judged_and_taken_back(page: Page, project: Project) -> None:
    page.goto(reverse("judge", args=[project.public_id]))
    page.get_by_role("button", name="Different meaning").click()
    expect(page.get_by_text("1 today")).to_be_visible()
    assert Judgment.objects.exclude(label=None).get().seconds is None
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("0 today")).to_be_visible()
    assert not Judgment.objects.exclude(label=None).exists()


def test_a_sentence_is_fixed(page: Page, project: Project) -> None:
    page.goto(reverse("correct", args=[project.public_id]))
    page.locator("summary").click()
    page.get_by_role("textbox").fill("One is seen.")
    page.get_by_role("button", name="Save the fix").click()
    expect(page.get_by_text("1 today")).to_be_visible()
    assert Correction.objects.exclude(action=None).get().text == "One is seen."


def test_a_refused_fix_is_given_back(page: Page, project: Project) -> None:
    page.goto(reverse("correct", args=[project.public_id]))
    page.locator("summary").click()
    page.get_by_role("textbox").fill(" ")
    page.get_by_role("button", name="Save the fix").click()
    expect(page.get_by_text("cannot be stored")).to_be_visible()
    expect(page.get_by_role("textbox")).to_be_visible()


def test_a_pair_is_skipped_with_a_reason(page: Page, project: Project) -> None:
    page.goto(reverse("judge", args=[project.public_id]))
    page.get_by_role("link", name="Skip S").click()
    page.get_by_label("I cannot tell").check()
    page.get_by_role("button", name="Skip it").click()
    expect(page.get_by_role("button", name="Same meaning")).to_be_visible()
    assert Skip.objects.get().reason == "unclear"


def test_the_last_answers_are_a_page_of_their_own(page: Page, project: Project) -> None:
    page.goto(reverse("judge", args=[project.public_id]))
    page.get_by_role("button", name="Different meaning").click()
    page.get_by_role("link", name="Last ten").click()
    expect(page.get_by_role("listitem").filter(has_text="Different meaning")).to_have_count(1)
    page.get_by_role("link", name="Back to the work").click()
    expect(page.get_by_role("button", name="Same meaning")).to_be_visible()


def test_the_guidelines_are_a_page_of_their_own(page: Page, project: Project) -> None:
    page.goto(reverse("judge", args=[project.public_id]))
    page.get_by_role("link", name="Guidelines").click()
    expect(page.get_by_text("fairly")).to_be_visible()
