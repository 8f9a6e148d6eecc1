"""Correcting: accept, reject or fix; what changes is seen meanwhile, and no slip loses it."""

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from accounts.models import Session
from annotation.models import Correction, Membership
from tests.annotation import make
from tests.browser.work_page import await_ready, item, keys, press, reload, sign_in

CANDIDATE = "The church sees the old mill."


@pytest.fixture
def text(at_work, transactional_db):
    """The editor on the page of a corrector."""
    project = make.study()
    texts = [("The mill sees the old church.", CANDIDATE), ("One sees two.", "Two sees one.")]
    make.candidates(project, [*texts, ("Three sees four.", "Four sees three.")])
    return at_work(make.person(project), "correct").locator("#text")


def write(page, text):
    keys(page, "f", "Control+a")
    page.keyboard.type(text)


def stored():
    answered = Correction.objects.exclude(submitted_at=None).order_by("submitted_at")
    return list(answered.values_list("action", "text"))


def test_a_accepts_x_rejects_f_fixes_and_escape_keeps_what_was_written(page, text):
    answered = item(page).input_value()
    page.dispatch_event("body", "keydown", {"key": "ф", "code": "KeyA"})  # of another script
    expect(item(page)).not_to_have_value(answered)
    press(page, "x")
    page.keyboard.press("f")
    expect(text).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.type("Ax U2 h? ")
    page.get_by_role("button", name="Save the fix").focus()
    keys(page, "x", "u", "s", "Backspace", "Escape")
    expect(text).to_be_hidden()
    keys(page, "f", "Home")
    composing = {"key": "Enter", "code": "Enter", "ctrlKey": True, "isComposing": True}
    text.dispatch_event("keydown", composing)
    page.keyboard.type("b ")
    press(page, "Control+Enter")
    assert stored() == [("accept", ""), ("reject", ""), ("fix", "b Ax U2 h? Four sees three.")]


def test_the_editor_shows_what_changes_and_brings_the_sentence_back(page, text):
    changes, count = page.locator("#changes"), page.locator("#count")
    write(page, "The church saw the very old mill.")
    expect(changes).to_have_text("The church sees saw the very old mill.")
    expect(changes.locator("del")).to_have_text(["sees"])
    expect(changes.locator("ins")).to_have_text(["saw", "very"])
    expect(count).to_have_text("Words changed: 2. Total words: 6 before, 7 now.")
    expect(page.locator("#announcer")).to_have_text(count.inner_text())  # after a pause
    for tag, line in (("del", "line-through"), ("ins", "underline")):
        expect(changes.locator(tag).first).to_have_css("text-decoration-line", line)
    text.fill(CANDIDATE.replace(".", "!"))
    expect(page.get_by_text("Only punctuation or spaces differ.")).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect(text).to_have_value(CANDIDATE)
    expect(text).to_be_focused()
    press(page, "Control+Enter")
    expect(page.get_by_text("accepted, as nothing was changed")).to_be_visible()
    assert stored() == [("accept", "")]


def test_a_fix_that_leaves_nothing_or_hardly_a_word_is_asked_about(page, text):
    question = page.get_by_role("group", name="This is mostly rewritten")
    keep = question.get_by_role("button", name="Keep editing")
    write(page, "Something else.")
    page.keyboard.press("Control+Enter")
    expect(keep).to_be_focused()
    assert stored() == []
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect(text).to_be_focused()
    expect(text).to_have_value("Something else.")
    expect(page.locator("#work")).to_have_attribute("data-state", "ready")
    page.keyboard.press("Control+Enter")
    expect(keep).to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(page.locator("#work")).to_have_attribute("data-state", "ready")
    press(page, "Enter")  # saved anyway
    write(page, " ")
    keys(page, "Control+Enter", "Escape", "Control+Enter")
    question = page.get_by_role("group", name="The sentence is empty.")
    expect(question.get_by_role("button")).to_have_text(["Reject it", "Esc Keep editing"])
    answered = item(page).input_value()
    question.get_by_role("button", name="Reject it").click()
    expect(item(page)).not_to_have_value(answered)
    assert stored() == [("fix", "Something else."), ("reject", "")]


def test_a_fix_outlives_the_end_of_the_session_and_is_named_as_not_saved(page, text, base_url):
    write(page, "The church saw the old mill.")
    Session.objects.all().delete()
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("You were signed out. Sign in to go on.")).to_be_visible()
    expect(page.get_by_text("Your last answer was not saved")).to_be_visible()
    assert stored() == []
    sign_in(page, Membership.objects.get().user, base_url)
    page.goto(parse_qs(urlsplit(page.url).query)["next"][0])
    await_ready(page)
    expect(page.get_by_text("This fix isn’t saved yet.")).to_be_visible()
    expect(text).to_have_value("The church saw the old mill.")
    press(page, "Control+Enter")
    assert stored() == [("fix", "The church saw the old mill.")]
    reload(page)
    expect(page.locator("#unsaved")).to_be_empty()


def test_a_fix_of_a_sentence_that_somebody_else_got_is_shown_to_its_author_alone(page, text):
    write(page, "The church saw the old mill.")
    Correction.objects.update(annotator=None, person=None, lease_until=None, queue_key=None)
    reload(page)
    lost = page.get_by_text("its sentence is no longer assigned to you")
    expect(lost).to_contain_text("The church saw the old mill.")
    page.get_by_role("button", name="Discard").click()
    reload(page)
    expect(lost).to_have_count(0)
