"""The admin and the viewer of the schema work under the policy of the pages: nothing is blocked."""

import re

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotation.models import Membership
from tests.annotation import cast
from tests.browser.people import sign_in


@pytest.fixture
def root(page: Page, live_server: LiveServer) -> Page:
    """The page of a signed-in administrator."""
    sign_in(page, User.objects.create_superuser("root"), live_server=live_server)
    return page


def test_a_manager_finds_somebody_and_gives_them_a_place(root: Page) -> None:
    project = cast.study()
    User.objects.create_user("newcomer")
    root.goto(f"/admin/annotation/project/{project.pk}/change/")

    root.locator("#memberships-0 .field-user .select2-selection").click()
    root.locator(".select2-search__field").last.fill("newc")
    root.get_by_role("option", name="newcomer").click()
    root.get_by_role("button", name="Save", exact=True).click()

    expect(root.get_by_text("was changed successfully")).to_be_visible()
    assert Membership.objects.filter(project=project, user__username="newcomer").exists()


def test_a_manager_makes_an_account_and_reads_its_link(root: Page) -> None:
    root.goto("/admin/accounts/user/add/")
    root.get_by_label("Username").fill("newcomer")
    root.get_by_role("button", name="Save", exact=True).click()

    expect(root.locator("code")).to_have_text(
        re.compile(r"^http://.*/accounts/password/reset/key/")
    )


def test_tables_and_pages_of_rows_open(root: Page) -> None:
    project = cast.study()
    cast.pairs(project, 2)

    root.goto("/admin/annotation/sentencepair/")
    root.get_by_role("link", name="Source").first.click()

    expect(root.get_by_text("from the corpus")).to_be_visible()


def test_the_schema_is_shown(root: Page) -> None:
    root.goto("/api/docs/")

    expect(root.get_by_text("/api/projects/{public_id}/pairs/")).to_be_visible()
    root.get_by_text("/api/projects/{public_id}/pairs/").click()
    expect(root.get_by_text("Whether the pair has all its judgments").first).to_be_visible()
