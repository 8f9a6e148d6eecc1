"""A warning reaches whoever is at work, and goes when it has been read."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Membership
from annotation.services import interventions
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in

SLOWLY = "Please read both sentences to their end."


@pytest.fixture
def alice(page: Page, transactional_db: None, live_server: LiveServer) -> Membership:
    project = cast.study()
    cast.pairs(project, 2)
    member = cast.person(project)
    sign_in(page, member.user, live_server=live_server)
    return member


@pytest.fixture
def judge_page(alice: Membership) -> str:
    return reverse("judge", args=[alice.project.public_id])


def test_a_warning_goes_when_it_has_been_read_and_stays_away(
    page: Page, alice: Membership, judge_page: str
) -> None:
    interventions.warn(alice, by=None, reason=SLOWLY)
    desks.sit_down(page, judge_page)
    expect(page.get_by_role("status").get_by_text(SLOWLY)).to_be_visible()
    desks.press(page, "1")
    expect(page.get_by_text(SLOWLY)).to_be_visible()
    page.get_by_role("button", name="I have read this").click()
    expect(page.get_by_text(SLOWLY)).to_be_hidden()
    desks.sit_down(page, judge_page)
    expect(page.get_by_text(SLOWLY)).to_be_hidden()


def test_a_warning_comes_to_a_page_that_has_long_been_open(
    page: Page, alice: Membership, judge_page: str
) -> None:
    page.clock.install()
    desks.sit_down(page, judge_page)
    interventions.warn(alice, by=None, reason=SLOWLY)
    page.clock.fast_forward(301_000)
    expect(page.get_by_role("status").get_by_text(SLOWLY)).to_be_visible()
