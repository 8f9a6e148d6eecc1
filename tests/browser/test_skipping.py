"""Skipping with the keyboard: one key asks why, one chooses, one goes on."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Judgment, Project, Skip
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study()
    cast.candidates(project, [(f"One sees {n}.", f"{n} sees one.") for n in range(3)])
    cast.pairs(project, 3)
    return project


@pytest.fixture(params=["judge", "correct"])
def working(
    request: pytest.FixtureRequest, page: Page, project: Project, live_server: LiveServer
) -> Page:
    sign_in(page, cast.person(project).user, live_server=live_server)
    desks.sit_down(page, reverse(request.param, args=[project.public_id]))
    return page


def skips() -> list[tuple[str, str]]:
    return [(skip.reason, skip.note) for skip in Skip.objects.order_by("pk")]


def test_three_keys_skip_an_item(working: Page) -> None:
    working.keyboard.press("s")
    expect(working.get_by_role("dialog", name="Why do you skip it?")).to_be_visible()
    expect(working.get_by_label("I cannot tell")).to_be_focused()
    working.keyboard.press("2")
    expect(working.get_by_label("It is not a sentence")).to_be_checked()
    desks.press(working, "Enter")
    assert skips() == [("broken", "")]
    expect(working.locator("dialog[open]")).to_have_count(0)
    expect(working.locator("#work .sheet")).to_be_focused()
    expect(working.get_by_text("Saved: skipped")).to_be_visible()


def test_something_else_is_said_in_words(working: Page) -> None:
    working.keyboard.press("s")
    working.keyboard.press("4")
    expect(working.get_by_label("In your own words")).to_be_focused()
    working.keyboard.press("Enter")
    expect(working.get_by_role("dialog", name="Why do you skip it?")).to_be_visible()
    working.keyboard.type("A poem; s 1 2 3.")
    desks.press(working, "Enter")
    assert skips() == [("other", "A poem; s 1 2 3.")]


def test_leaving_the_dialog_skips_nothing_and_answers_nothing(working: Page) -> None:
    shown = desks.item(working).input_value()
    working.keyboard.press("s")
    working.keyboard.press("1")
    working.keyboard.press("Escape")
    expect(working.locator("dialog[open]")).to_have_count(0)
    working.keyboard.press("s")
    expect(working.get_by_label("I cannot tell")).not_to_be_checked()
    working.keyboard.press("s")
    expect(working.locator("dialog[open]")).to_have_count(0)
    expect(desks.item(working)).to_have_value(shown)
    assert skips() == []
    assert not Judgment.objects.exclude(label=None).exists()


def test_two_items_are_skipped_one_after_the_other(working: Page) -> None:
    for key in ("1", "3"):
        desks.wait_until_ready(working)
        working.keyboard.press("s")
        working.keyboard.press(key)
        desks.press(working, "Enter")
    assert skips() == [("unclear", ""), ("offensive", "")]


def test_where_skipping_is_forbidden_the_key_is_dead(
    page: Page, project: Project, live_server: LiveServer
) -> None:
    Project.objects.filter(pk=project.pk).update(skipping=Project.Skipping.FORBIDDEN)
    sign_in(page, cast.person(project).user, live_server=live_server)
    desks.sit_down(page, reverse("judge", args=[project.public_id]))
    page.keyboard.press("s")
    expect(page.locator("dialog[open]")).to_have_count(0)
    expect(page.get_by_role("link", name="Skip S")).to_have_count(0)
