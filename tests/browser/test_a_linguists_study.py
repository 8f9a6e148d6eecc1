"""A study by a manager without rights of staff, from sentences to the release, in the browser."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from common.outages import Retry
from generation.models import Queue
from operations.management.commands import worker
from releases.dataset.verification import verify
from tests.browser.work_page import press

SENTENCES = """\
no;sentence
1;Thomas was arrested in Lyon, tried in Geneva and released after two years in prison.
2;The old road leads from Bergen to Tromso across the mountains and along the coast.
3;Yes.
"""
PASSWORD = "quiet-orchard-lantern"
# Also those that press a button for the key Enter, and those of a test on what it chooses.
COUNT = "addEventListener('click', () => localStorage.n = 1 + (+localStorage.n || 0), true)"
OWN_CLICKS, ANNOTATORS_CLICKS = 19, 5


@pytest.fixture(autouse=True)
def _folders(settings, tmp_path):
    settings.IMPORTS_DIR, settings.RELEASES_DIR = tmp_path / "imports", tmp_path / "releases"


def work():
    """Do what the worker does, until nothing is left."""
    while worker._work_once(Retry(), [Queue.CPU]):
        pass


def counted(page):
    page.add_init_script(COUNT)
    return page


def clicks(page):
    return int(page.evaluate("localStorage.n"))


def go(page, *links):
    for link in links:
        # In the rail, a number follows the name.
        page.get_by_role("link", name=re.compile(rf"^{link}( [\d.]+)?$")).first.click()


def joined(page, link, name):
    """Create an account by the link, and go on to the first page."""
    page.goto(link)
    go(page, "Create an account")
    page.locator("[name=username]").fill(name)
    for field in ("password1", "password2"):
        page.locator(f"[name={field}]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/welcome/")
    return page


def bring_sentences(page):
    go(page, "Sentences")
    file = {"name": "towns.csv", "mimeType": "text/csv", "buffer": SENTENCES.encode()}
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Upload and preview").click()
    page.wait_for_url("**/data/imports/*/")
    work()
    page.get_by_role("button", name="Import 3 sentences").click()
    work()
    expect(page.get_by_role("link", name="View sentences")).to_be_visible()


def generate(page):
    go(page, "New run")
    page.get_by_role("button", name="Start run").click()
    work()
    page.reload()
    expect(
        page.get_by_role("region", name="Candidates").get_by_text("Geneva").first
    ).to_be_visible()
    page.get_by_role("button", name=re.compile("^Rewrite all")).first.click()
    work()


def invite(page, number):
    """Return the link, for this number of people."""
    go(page, "Invitations")
    page.get_by_label("Maximum number of people").fill(str(number))
    page.get_by_role("button", name="Create link").click()
    return page.get_by_label("Link").input_value()


def answer(page, task, key):
    page.get_by_role("button", name="Start").last.click()
    page.goto("/")
    page.get_by_role("link", name=task).first.click()
    press(page, key)
    expect(page.get_by_text("1 today")).to_be_visible()


def release(page, archive):
    go(page, "Releases", "Draft a release")
    page.get_by_role("button", name="Save and preview").click()
    work()
    page.get_by_label("Build without a licence").check()
    page.get_by_role("button", name="Build").click()
    work()
    page.reload()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").first.click()
    download.value.save_as(archive)


def test_a_study_is_created_filled_worked_on_and_released(transactional_db, new_page, tmp_path):
    page = counted(new_page())
    lin = User.objects.create_user("lin", password=PASSWORD, may_create_projects=True)
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill(lin.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    go(page, "New project")
    page.get_by_label("Name").fill("Word order")
    page.get_by_role("button", name="Create project").last.click()
    bring_sentences(page)
    generate(page)
    link = invite(page, 6)
    corrector, *judges = [
        joined(counted(new_page()), link, f"person-{number}") for number in range(6)
    ]
    answer(corrector, "Correct", "a")
    for judge in judges:
        answer(judge, "Judge", "2")
    go(page, "Overview", "Agreement")
    expect(page.get_by_text("100.0 %").first).to_be_visible()
    release(page, tmp_path / "release.tar.gz")
    assert clicks(page) <= OWN_CLICKS
    assert all(clicks(each) <= ANNOTATORS_CLICKS for each in (corrector, *judges))
    assert verify(tmp_path / "release.tar.gz") == []
