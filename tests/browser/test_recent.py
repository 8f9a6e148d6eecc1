"""One's last answers, beside the work."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Judgment, Project
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study()
    cast.pairs(project, 3)
    return project


@pytest.fixture
def judging(page: Page, project: Project, live_server: LiveServer) -> Page:
    sign_in(page, cast.person(project).user, live_server=live_server)
    desks.sit_down(page, reverse("judge", args=[project.public_id]))
    return page


def test_l_lists_what_was_just_answered_and_l_closes_it(judging: Page) -> None:
    first = desks.sentences(judging)
    desks.press(judging, "1")
    second = desks.sentences(judging)
    desks.press(judging, "2")
    judging.keyboard.press("l")
    listed = judging.get_by_role("dialog", name="Your last answers").get_by_role("listitem")
    expect(listed).to_have_count(2)
    expect(listed.nth(0)).to_contain_text("Different meaning")
    expect(listed.nth(0)).to_contain_text(second[0])
    expect(listed.nth(1)).to_contain_text("Same meaning")
    expect(listed.nth(1)).to_contain_text(first[1])
    judging.keyboard.press("1")
    judging.keyboard.press("l")
    expect(judging.locator("dialog[open]")).to_have_count(0)
    assert Judgment.objects.exclude(label=None).count() == 2


def test_the_list_is_new_each_time_that_it_is_opened(judging: Page) -> None:
    judging.keyboard.press("l")
    expect(judging.get_by_text("You have not answered anything here yet.")).to_be_visible()
    judging.keyboard.press("l")
    desks.press(judging, "1")
    judging.keyboard.press("l")
    expect(judging.locator("#recent li")).to_have_count(1)
