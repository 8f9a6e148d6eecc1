"""Time on an item: while the page is seen and somebody is there, by a clock that the test turns."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from annotation.models import Judgment, Project
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in

IDLE = 20
BEGUN = 0.5  # seconds that the item has been in view when a test begins


@pytest.fixture
def judging(page: Page, transactional_db: None, live_server: LiveServer) -> Page:
    """At the second pair: since the first was answered, the clock goes by the test alone."""
    project = cast.study()
    Project.objects.filter(pk=project.pk).update(idle_seconds=IDLE)
    cast.pairs(project, 3)
    sign_in(page, cast.person(project).user, live_server=live_server)
    page.clock.install()
    desks.sit_down(page, reverse("judge", args=[project.public_id]))
    page.clock.pause_at(page.evaluate("Date.now()") + 60_000)  # not yet over on any machine
    seconds_of_the_answer(page)
    return page


def spend(page: Page, seconds: float) -> None:
    page.clock.run_for(round(seconds * 1000))


def seconds_of_the_answer(page: Page) -> float:
    """Answer, and read the time that was kept with the answer."""
    answered = desks.item(page).input_value()
    page.keyboard.press("1")
    desks.expect(desks.item(page)).not_to_have_value(answered)
    spend(page, BEGUN)
    desks.wait_until_ready(page)
    seconds = Judgment.objects.get(pair__public_id=answered, label=1).seconds
    assert seconds is not None
    return seconds


def look_away(page: Page, *, hidden: bool) -> None:
    page.evaluate(
        "value => { Object.defineProperty(document, 'hidden', {value, configurable: true});"
        " document.dispatchEvent(new Event('visibilitychange')); }",
        hidden,
    )


def test_time_counts_from_one_item_to_the_next(judging: Page) -> None:
    spend(judging, 12)
    assert seconds_of_the_answer(judging) == pytest.approx(BEGUN + 12, abs=0.05)


def test_the_clock_stops_when_nobody_is_there(judging: Page) -> None:
    judging.keyboard.press("Shift")
    spend(judging, 300)
    assert seconds_of_the_answer(judging) == pytest.approx(BEGUN + IDLE, abs=0.05)


@pytest.mark.parametrize(
    "sign", ["keydown", "pointerdown", "pointermove", "touchstart", "wheel", "scroll"]
)
def test_the_clock_goes_on_at_any_sign_of_somebody(judging: Page, sign: str) -> None:
    spend(judging, 300)
    judging.evaluate(
        "sign => document.body.dispatchEvent("
        "Object.assign(new Event(sign, {bubbles: true}), {key: 'Shift', code: 'Shift'}))",
        sign,
    )
    spend(judging, 7)
    assert seconds_of_the_answer(judging) == pytest.approx(IDLE + 7, abs=0.05)


def test_signs_that_keep_coming_keep_the_clock_going(judging: Page) -> None:
    for _ in range(5):
        spend(judging, IDLE - 1)
        judging.keyboard.press("Shift")
    assert seconds_of_the_answer(judging) == pytest.approx(BEGUN + 5 * (IDLE - 1), abs=0.05)


def test_time_counts_only_while_the_page_can_be_seen(judging: Page) -> None:
    spend(judging, 3)
    look_away(judging, hidden=True)
    spend(judging, 10)
    look_away(judging, hidden=False)
    spend(judging, 4)
    assert seconds_of_the_answer(judging) == pytest.approx(BEGUN + 7, abs=0.05)


def test_the_time_of_one_item_is_not_the_time_of_the_next(judging: Page) -> None:
    spend(judging, 9)
    seconds_of_the_answer(judging)
    spend(judging, 2)
    assert seconds_of_the_answer(judging) == pytest.approx(BEGUN + 2, abs=0.05)
