"""A study by a manager without rights of staff, from sentences to the release, in the browser."""

import re

import pytest
from playwright.sync_api import expect

from accounts.models import User
from annotation.models import Consensus, Role, SentencePair
from annotation.projects.services import projects
from common.outages import Retry
from generation.models import Queue
from operations.management.commands import worker
from releases.dataset.verification import verify
from releases.services import drafts
from tests.annotation import judged, make
from tests.browser.work_page import await_ready, press

CARDS = """\
entity;definition
queue;A first-in first-out list, such as a line of people.
queue;A list whose elements leave at the front in the order of their arrival.
queue;What arrives first is served first, as at the counter of a shop.
queue;A sequence with insertion at the rear and removal at the other end.
queue;It hands out the oldest of its elements and takes new ones at its end.
"""
SENTENCES = """\
no;sentence
1;Thomas was arrested in Lyon, tried in Geneva and released after six years in prison.
2;The old road leads from Bergen to Tromso across the mountains and along the coast.
3;Yes.
"""
INFERENCES = """\
premise;hypothesis
The ferry to Mull is full today.;Somebody travels to Mull today.
The ferry to Oban is full today.;It rains in Oban.
The ferry to Iona is full today.;The ferry to Iona is empty today.
"""
KNOWN = """\
premise;hypothesis;gold_label
The mill burned down in 1912.;The mill stood in 1920.;Contradiction
The mill has two floors.;The mill has more than one floor.;entailment
"""
PASSWORD = "quiet-orchard-lantern"
# Also those that press a button for the key Enter, and those of a test on what it chooses.
COUNT = "addEventListener('click', () => localStorage.n = 1 + (+localStorage.n || 0), true)"
# Where a page speaks of paraphrases, but for those on which any study begins.
LISTEN = """
addEventListener('DOMContentLoaded', () => {
  const [words] = document.body.innerText.match(/.*paraphras.*/i) || [];
  if (words && location.pathname.includes('-')) localStorage.spoken = words;
});
"""
OWN_CLICKS, ANNOTATORS_CLICKS = 19, 5
MOST_CLICKS = 30  # of a manager whose people grade or translate


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


def bring(page, rows, button, kind="Sentences"):
    go(page, "Sentences")
    if kind != "Sentences":
        page.get_by_label(kind).check()
    file = {"name": "rows.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Upload and preview").click()
    page.wait_for_url("**/data/imports/*/")
    work()
    page.locator("#id_language").fill("English")
    page.get_by_role("button", name=button).click()
    work()
    expect(page.get_by_role("link", name=re.compile("^View"))).to_be_visible()


def upload(page, rows, kind, button):
    """Upload the pairs of a file whose columns are named."""
    go(page, "Sentences")
    page.locator(f"[name=kind][value={kind}]").check()
    file = {"name": "rows.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Upload and preview").click()
    page.wait_for_url("**/data/imports/*/")
    work()
    page.reload()
    if page.locator("#id_language").count():
        page.locator("#id_language").fill("English")
    page.get_by_role("button", name=button).click()
    work()
    expect(page.get_by_role("link", name=re.compile("^View"))).to_be_visible()


def generate(page, preview):
    """Start a run whose preview shows this text, and approve it."""
    page.get_by_role("button", name="Start run").click()
    work()
    page.reload()
    candidates = page.get_by_role("region", name="Candidates")
    expect(candidates.get_by_text(preview).first).to_be_visible()
    page.get_by_role("button", name=re.compile("^(Rewrite|Pair) all")).first.click()
    work()


def invite(page, number):
    """Return the link, for this number of people."""
    go(page, "Invitations")
    page.get_by_label("Maximum number of people").fill(str(number))
    page.get_by_role("button", name="Create link").click()
    return page.get_by_label("Link").input_value()


def begin(page, task):
    page.get_by_role("button", name="Start").last.click()
    page.goto("/")
    page.get_by_role("link", name=task).first.click()
    await_ready(page)


def answer(page, task, key):
    begin(page, task)
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


@pytest.fixture
def lin(transactional_db):
    return User.objects.create_user("lin", password=PASSWORD, may_create_projects=True)


@pytest.fixture
def page(new_page, lin):
    """Lin's, who signs in."""
    page = counted(new_page())
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill(lin.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    return page


def join_by_link(new_page, link, number):
    return [joined(counted(new_page()), link, f"member-{place}") for place in range(number)]


def test_a_study_is_created_filled_worked_on_and_released(page, new_page, tmp_path):
    go(page, "Start with your own sentences")
    page.get_by_label("Name", exact=True).fill("Word order")
    page.get_by_role("button", name="Create project").last.click()
    bring(page, SENTENCES, "Import 3 sentences")
    go(page, "New run")
    generate(page, "Geneva")
    corrector, *judges = join_by_link(new_page, invite(page, 6), 6)
    answer(corrector, "Correct", "a")
    for judge in judges:
        answer(judge, "Judge", "2")
    go(page, "Overview", "Agreement")
    expect(page.get_by_text("100.0 %").first).to_be_visible()
    release(page, tmp_path / "release.tar.gz")
    assert clicks(page) <= OWN_CLICKS
    assert all(clicks(each) <= ANNOTATORS_CLICKS for each in (corrector, *judges))
    assert verify(tmp_path / "release.tar.gz") == []


def test_definitions_are_paired_graded_and_released(page, new_page, tmp_path):
    go(page, "Start with your own sentences")
    page.get_by_text("Grades (PARADE)").click()
    page.get_by_label("Name", exact=True).fill("Data structures")
    expect(page.get_by_text("This is PARADE as published.")).to_be_visible()
    page.get_by_role("button", name="Create project").click()
    bring(page, CARDS, "Import 5 flashcards", kind="Flashcards")
    go(page, "Pair definitions")
    generate(page, "first-out")
    for judge in join_by_link(new_page, invite(page, 3), 3):
        begin(judge, "Grade")
        press(judge, *SentencePair.objects.count() * ["3"])
    release(page, tmp_path / "release.tar.gz")
    assert clicks(page) <= MOST_CLICKS
    assert verify(tmp_path / "release.tar.gz") == []


def test_inferences_are_uploaded_labelled_by_keys_and_released(page, new_page, tmp_path):
    page.add_init_script(LISTEN)
    go(page, "Start with your own sentences")
    page.get_by_text("Does it follow? (NLI)").click()
    page.get_by_label("Name", exact=True).fill("Ferries")
    expect(page.get_by_text("3 neutral, 2 contradiction: neutral, kept.")).to_be_visible()
    page.get_by_role("button", name="Create project").click()
    upload(page, INFERENCES, "pairs", "Import 3 pairs")
    upload(page, KNOWN, "gold_pairs", "Import 2 gold pairs")
    for judge in join_by_link(new_page, invite(page, 5), 5):
        judge.add_init_script(LISTEN)
        begin(judge, "Judge")
        press(judge, "1", "2", "3")
        assert not judge.evaluate("localStorage.spoken")
    go(page, "Overview", "Agreement")
    expect(page.get_by_text("100.0 %").first).to_be_visible()
    release(page, tmp_path / "release.tar.gz")
    assert not page.evaluate("localStorage.spoken")
    assert set(SentencePair.objects.values_list("gold_label", flat=True)) == {None, 0, 2}
    assert set(Consensus.objects.values_list("label", flat=True)) == {0, 1, 2}
    assert verify(tmp_path / "release.tar.gz") == []


def test_a_release_is_translated_validated_and_released(page, new_page, lin, tmp_path):
    source = make.study()
    projects.add_member(source, lin, role=Role.MANAGER)
    judged.pairs(source, [[1] * 5], by=judged.people(source, 5))
    drafts.queue_draft(drafts.create_draft(source, version="1.0", dev=0, test=1, unlabeled_dev=0))
    work()
    page.reload()
    go(page, "New project")
    page.get_by_role("link", name=re.compile("^Translation")).click()
    page.get_by_role("link", name=re.compile("^Translate ?:")).click()
    page.get_by_label("Name of the new project").fill("German")
    page.get_by_role("combobox", name="Translate into").fill("German")
    page.get_by_role("button", name="Create project").click()
    translators = join_by_link(new_page, invite(page, 3), 3)
    for translator, text in zip(translators, ("Die Quelle.", "Der Ersatz."), strict=False):
        begin(translator, "Translate")
        translator.keyboard.type(text)
        translator.keyboard.press("Control+Enter")
        expect(translator.get_by_text("1 today")).to_be_visible()
    answer(translators[2], "Validate", "a")
    press(translators[2], "a")
    page.reload()
    go(page, "Overview")
    page.get_by_role("link", name=re.compile("^Deliver")).first.click()
    page.get_by_role("button", name=re.compile("^Deliver")).click()
    release(page, tmp_path / "release.tar.gz")
    assert clicks(page) <= MOST_CLICKS
    assert verify(tmp_path / "release.tar.gz") == []
