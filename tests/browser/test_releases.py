"""A manager with a keyboard alone: a release from its draft to its tombstone."""

import tarfile
from pathlib import Path

from django.urls import reverse
from playwright.sync_api import Browser, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Release
from annotation.services import releases
from tests.browser import versions
from tests.browser.house import House
from tests.browser.people import sign_in

WHY = "Two sentences were not free."


def go_to(page: Page, name: str) -> None:
    """Tab to a link or button of this name, as somebody without a mouse does."""
    for _ in range(80):
        page.keyboard.press("Tab")
        focused = page.evaluate("document.activeElement.textContent.trim()")
        if focused == name:
            return
    raise AssertionError(f"no key leads to {name}")


def test_from_a_draft_to_a_tombstone_by_keys_alone(
    page: Page, house: House, live_server: LiveServer, tmp_path: Path
) -> None:
    sign_in(page, house.person("manager"), live_server=live_server)
    page.goto(reverse("releases", args=[house.project.public_id]))
    go_to(page, "Draft a release")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Version")).to_have_value("1.1")
    go_to(page, "Save and look at it")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Draft of 1.1")).to_be_visible()
    expect(page.get_by_text("It waits for a worker.")).to_be_visible()
    assert releases.preview_next()
    expect(page.get_by_role("rowheader", name="unlabeled_final/train.tsv")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("Now it is known what the draft would hold.")
    go_to(page, "Build it")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="1.1 waits for a worker")).to_be_visible()

    assert releases.build_next()
    expect(page.get_by_role("heading", name="Release 1.1", exact=True)).to_be_visible()
    with page.expect_download() as downloading:
        go_to(page, "Download all files")
        page.keyboard.press("Enter")
    downloading.value.save_as(tmp_path / "fetched.tar.gz")
    with tarfile.open(tmp_path / "fetched.tar.gz") as tar:
        assert "1.1/manifest.json" in tar.getnames()

    go_to(page, "Withdraw it")
    page.keyboard.press("Enter")
    page.get_by_label("Why").focus()
    page.keyboard.type(WHY)
    go_to(page, "Withdraw it")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Release 1.1 was withdrawn")).to_be_visible()
    expect(page.get_by_text(WHY)).to_be_visible()
    assert Release.objects.get(version="1.1").state == Release.State.WITHDRAWN


def test_a_draft_is_looked_at_anew_when_pairs_were_decided_since(
    page: Page, house: House, live_server: LiveServer
) -> None:
    versions.outrun(house)
    sign_in(page, house.person("manager"), live_server=live_server)
    page.goto(house.address("release"))
    expect(page.get_by_text("1 pair was decided.")).to_be_visible()
    go_to(page, "Look at it anew")
    page.keyboard.press("Enter")
    expect(page.get_by_text("It waits for a worker.")).to_be_visible()

    assert releases.preview_next()
    expect(page.get_by_text("Nothing has changed since.")).to_be_visible()


def test_without_scripts_the_page_says_how_far_it_is_and_to_load_it_again(
    browser: Browser, house: House, live_server: LiveServer
) -> None:
    versions.unseen(house)
    context = browser.new_context(base_url=live_server.url, java_script_enabled=False)
    page = context.new_page()
    sign_in(page, house.person("manager"), live_server=live_server)
    page.goto(house.address("release"))
    expect(page.get_by_text("It waits for a worker.")).to_be_visible()
    # Playwright passes over what stands in the place of scripts.
    assert "Load the page again" in page.content()

    assert releases.preview_next()
    page.reload()
    expect(page.get_by_role("rowheader", name="unlabeled_final/train.tsv")).to_be_visible()
    context.close()
