"""No answer is lost, whatever the network does."""

from collections.abc import Iterator

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Correction, Judgment, Membership, Project, Skip
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in

NOT_SAVED = "Not saved yet: the server"


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study()
    cast.candidates(project, [(f"One sees {n}.", f"{n} sees one.") for n in range(2)])
    cast.pairs(project, 3)
    return project


@pytest.fixture
def alice(project: Project) -> Membership:
    return cast.person(project)


@pytest.fixture
def page(browser: Browser, alice: Membership, live_server: LiveServer) -> Iterator[Page]:
    """A browser whose network may fail: that is an error in its console, and here no fault."""
    context = browser.new_context(base_url=live_server.url)
    page = context.new_page()
    # A loaded page takes up its first route a moment late, and one request in a hundred escapes.
    page.route("**/*", lambda route: route.fallback())
    sign_in(page, alice.user, live_server=live_server)
    yield page
    context.close()


@pytest.fixture
def judging(page: Page, project: Project) -> Page:
    desks.sit_down(page, reverse("judge", args=[project.public_id]))
    return page


@pytest.fixture
def correcting(page: Page, project: Project) -> Page:
    desks.sit_down(page, reverse("correct", args=[project.public_id]))
    return page


def test_an_answer_given_without_a_network_is_stored_when_it_is_back(judging: Page) -> None:
    answered = desks.item(judging).input_value()
    judging.context.set_offline(True)
    judging.keyboard.press("1")
    expect(judging.get_by_text(NOT_SAVED)).to_be_visible()
    assert not Judgment.objects.exclude(label=None).exists()
    judging.context.set_offline(False)
    expect(desks.item(judging)).not_to_have_value(answered)
    expect(judging.get_by_text(NOT_SAVED)).to_be_hidden()
    assert str(Judgment.objects.exclude(label=None).get().pair.public_id) == answered


def test_while_an_answer_waits_no_other_is_taken(judging: Page) -> None:
    judging.context.set_offline(True)
    judging.keyboard.press("1")
    expect(judging.get_by_text(NOT_SAVED)).to_be_visible()
    judging.keyboard.press("2")
    judging.context.set_offline(False)
    expect(judging.get_by_text(NOT_SAVED)).to_be_hidden()
    assert Judgment.objects.exclude(label=None).get().label == 1


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_a_server_that_fails_for_a_moment_is_asked_again(judging: Page, status: int) -> None:
    answered = desks.item(judging).input_value()
    judging.route("**/judge/", lambda route: route.fulfill(status=status))
    judging.keyboard.press("1")
    expect(judging.get_by_text(NOT_SAVED)).to_be_visible()
    judging.unroute("**/judge/")
    expect(desks.item(judging)).not_to_have_value(answered)
    assert Judgment.objects.exclude(label=None).count() == 1


def test_a_reply_that_is_lost_does_not_store_an_answer_twice(judging: Page) -> None:
    answered = desks.item(judging).input_value()
    judging.route("**/judge/", _lose_the_reply, times=1)
    judging.keyboard.press("1")
    expect(desks.item(judging)).not_to_have_value(answered)
    assert Judgment.objects.exclude(label=None).count() == 1


def test_an_undo_whose_reply_is_lost_takes_back_one_answer(judging: Page) -> None:
    desks.press(judging, "1")
    second = desks.item(judging).input_value()
    desks.press(judging, "1")
    judging.route("**/judge/undo/", _lose_the_reply, times=1)
    judging.keyboard.press("u")
    expect(desks.item(judging)).to_have_value(second)
    assert Judgment.objects.exclude(label=None).count() == 1


def test_a_skip_whose_reply_is_lost_is_sent_again_and_is_one(judging: Page) -> None:
    shown = desks.item(judging).input_value()
    judging.route("**/skip/", _lose_the_reply, times=1)
    judging.keyboard.press("s")
    judging.keyboard.press("1")
    judging.keyboard.press("Enter")
    expect(desks.item(judging)).not_to_have_value(shown)
    expect(judging.get_by_text(NOT_SAVED)).to_be_hidden()
    assert Skip.objects.count() == 1


def test_a_list_that_cannot_be_loaded_says_so_and_hinders_nothing(judging: Page) -> None:
    judging.route("**/recent/", lambda route: route.abort())
    judging.keyboard.press("l")
    expect(judging.get_by_text("The list cannot be loaded just now.")).to_be_visible()
    judging.keyboard.press("Escape")
    expect(judging.get_by_text(NOT_SAVED)).to_be_hidden()
    desks.press(judging, "1")
    assert Judgment.objects.exclude(label=None).count() == 1


def test_a_person_is_told_when_the_network_is_gone_and_when_it_is_back(judging: Page) -> None:
    state = judging.locator("#work .state")
    expect(state).to_have_text("All saved", use_inner_text=True)
    judging.context.set_offline(True)
    expect(state).to_have_text("Offline", use_inner_text=True)
    judging.keyboard.press("1")
    expect(state).to_have_text("Not saved yet", use_inner_text=True)
    judging.context.set_offline(False)
    expect(state).to_have_text("Saved: Same meaning", use_inner_text=True)


def test_a_network_that_fails_for_30_seconds_costs_nothing_and_doubles_nothing(
    judging: Page, project: Project
) -> None:
    cast.pairs(project, 3)
    given = [_answer(judging, key) for key in "12"]
    judging.route("**/*", lambda route: route.abort())
    given.append((desks.item(judging).input_value(), 1))
    judging.keyboard.press("1")
    expect(judging.get_by_role("alert").get_by_text(NOT_SAVED)).to_be_visible()
    judging.wait_for_timeout(15_000)
    judging.keyboard.press("2")  # an impatient hand
    judging.wait_for_timeout(15_000)
    expect(judging.get_by_role("alert").get_by_text(NOT_SAVED)).to_be_visible()
    judging.unroute("**/*")
    expect(desks.item(judging)).not_to_have_value(given[-1][0])
    expect(judging.get_by_text(NOT_SAVED)).to_be_hidden()
    given += [_answer(judging, key) for key in "21"]
    stored = Judgment.objects.exclude(label=None).order_by("submitted_at")
    assert [(str(each.pair.public_id), each.label) for each in stored] == given


def test_an_answer_that_the_server_refuses_is_not_sent_for_ever(judging: Page) -> None:
    judging.context.clear_cookies(name="csrftoken")
    judging.keyboard.press("1")
    expect(judging.get_by_text("The server did not take this answer.")).to_be_visible()
    judging.get_by_role("link", name="Load the page").click()
    desks.press(judging, "1")
    assert Judgment.objects.exclude(label=None).count() == 1


def test_a_page_with_an_unsaved_answer_asks_before_it_is_left(judging: Page) -> None:
    asked: list[str] = []
    judging.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    judging.route("**/judge/", lambda route: route.abort())
    judging.keyboard.press("1")
    expect(judging.get_by_text(NOT_SAVED)).to_be_visible()
    judging.goto("/")
    assert asked == ["beforeunload"]


def test_a_fix_that_was_begun_outlives_a_reload(correcting: Page) -> None:
    correcting.keyboard.press("f")
    correcting.keyboard.type(" My work.")
    correcting.reload()
    desks.wait_until_ready(correcting)
    correcting.keyboard.press("f")
    desks.press(correcting, "Control+Enter")
    assert Correction.objects.exclude(action=None).get().text == "0 sees one. My work."


def test_a_session_that_ended_leads_to_the_sign_in_page_and_back(
    correcting: Page, alice: Membership, live_server: LiveServer
) -> None:
    work = correcting.url
    correcting.keyboard.press("f")
    correcting.keyboard.type(" My work.")
    correcting.context.clear_cookies(name="sessionid")
    correcting.keyboard.press("Control+Enter")
    expect(correcting.get_by_label("Password")).to_be_visible()
    sign_in(correcting, alice.user, live_server=live_server)
    desks.sit_down(correcting, work)
    correcting.keyboard.press("f")
    expect(correcting.get_by_role("textbox")).to_have_value("0 sees one. My work.")


def _answer(page: Page, key: str) -> tuple[str, int]:
    """Press 1 or 2; returns which pair that answers and with which label."""
    desks.wait_until_ready(page)
    answered = desks.item(page).input_value()
    desks.press(page, key)
    return answered, {"1": 1, "2": 0}[key]


def _lose_the_reply(route: Route) -> None:
    route.fetch()
    route.abort()
