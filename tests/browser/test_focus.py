"""Where one stands after an action: at what came of it."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Membership, Project
from tests.annotation import cast
from tests.browser.people import sign_in


@pytest.fixture
def project(transactional_db: None) -> Project:
    return cast.study()


@pytest.fixture
def manager(page: Page, project: Project, live_server: LiveServer) -> Membership:
    member = cast.person(project, role=Membership.Role.MANAGER)
    sign_in(page, member.user, live_server=live_server)
    return member


@pytest.mark.usefixtures("manager")
def test_mistakes_lead_to_their_fields_and_saving_to_what_it_says(
    page: Page, project: Project
) -> None:
    page.goto(reverse("project_settings", args=[project.public_id]))
    page.get_by_label("Pass mark, in percent").fill("101")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_focused()

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    field = page.get_by_label("Pass mark, in percent")
    expect(field).to_be_in_viewport()
    field.fill("90")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_focused()
