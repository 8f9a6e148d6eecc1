"""The admin and the viewer of the schema work under the policy of the pages: nothing is blocked."""

import re

import pytest
from playwright.sync_api import FilePayload, Page, expect
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


def test_people_come_in_by_a_file_and_leave_by_one(root: Page) -> None:
    User.objects.create_user("newcomer")
    project = cast.study()
    root.goto("/admin/annotation/membership/")
    root.get_by_role("link", name="Import").click()
    rows = f"project,user,role,may_correct,may_judge\n{project.name},newcomer,annotator,1,1\n"
    file: FilePayload = {"name": "places.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    root.get_by_label("File to import").set_input_files(file)
    expect(root.get_by_label("Format")).to_have_value("0")
    root.get_by_role("button", name="Submit").click()
    expect(root.get_by_text("Import finished: 1 new")).to_be_visible()
    assert Membership.objects.filter(project=project, user__username="newcomer").exists()

    root.get_by_role("link", name="Export").click()
    root.get_by_label("Format").select_option("csv")
    with root.expect_download() as download:
        root.get_by_role("button", name="Submit").click()
    assert "newcomer" in download.value.path().read_text()


def test_a_file_with_a_fault_is_explained(root: Page) -> None:
    root.goto("/admin/accounts/user/import/")
    file: FilePayload = {"name": "a.csv", "mimeType": "text/csv", "buffer": b"username\na b\n"}
    root.get_by_label("File to import").set_input_files(file)
    root.get_by_role("button", name="Submit").click()
    expect(root.get_by_role("heading", name="Nothing was imported")).to_be_visible()
    expect(root.get_by_text("Row 1, username:")).to_be_visible()


def test_somebody_is_paused_from_the_table(root: Page) -> None:
    member = cast.person(cast.study())
    root.goto("/admin/annotation/membership/")
    root.locator(".action-select").check()
    root.get_by_label("Action:").select_option("pause")
    root.get_by_label("Reason").fill("Please wait.")
    root.get_by_role("button", name="Go").click()
    expect(root.get_by_text("1 of 1 paused.")).to_be_visible()
    member.refresh_from_db()
    assert member.paused_at is not None
