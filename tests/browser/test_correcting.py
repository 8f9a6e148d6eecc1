"""Fixing a sentence: what changes is seen while one writes, and nothing is lost by a slip."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Correction, Project
from generation.models import Corpus
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in

CANDIDATE = "The church sees the old mill."


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study()
    texts = [("The mill sees the old church.", CANDIDATE), ("One sees two.", "Two sees one.")]
    cast.candidates(project, texts)
    return project


@pytest.fixture
def correcting(page: Page, project: Project, live_server: LiveServer) -> Page:
    sign_in(page, cast.person(project).user, live_server=live_server)
    desks.sit_down(page, reverse("correct", args=[project.public_id]))
    return page


def write(page: Page, text: str) -> None:
    """Open the editor and write over all that stands there."""
    page.keyboard.press("f")
    page.keyboard.press("Control+a")
    page.keyboard.type(text)


def stored() -> list[tuple[str | None, str]]:
    answered = Correction.objects.exclude(action=None).order_by("submitted_at")
    return [(correction.action, correction.text) for correction in answered]


def test_words_that_went_and_words_that_came_are_shown_while_one_writes(correcting: Page) -> None:
    write(correcting, "The church saw the very old mill.")
    changes = correcting.locator("#changes")
    expect(changes).to_have_text("The church sees saw the very old mill.")
    expect(changes.locator("del")).to_have_text(["sees"])
    expect(changes.locator("ins")).to_have_text(["saw", "very"])
    expect(correcting.locator("#count")).to_have_text(
        "Words changed: 2. Words in all: 6 before, 7 now."
    )


def test_marks_are_lines_and_not_colours_alone(correcting: Page) -> None:
    write(correcting, "The church saw the old mill.")
    for tag, line in (("del", "line-through"), ("ins", "underline")):
        style = correcting.locator(f"#changes {tag}").evaluate(
            "node => getComputedStyle(node).textDecorationLine"
        )
        assert style == line


def test_a_pause_in_writing_is_when_the_count_is_read_out(correcting: Page) -> None:
    write(correcting, CANDIDATE.replace("sees", "saw"))
    expect(correcting.locator("#announcer")).to_have_text(
        "Words changed: 1. Words in all: 6 before, 6 now."
    )


def test_an_unchanged_fix_is_said_to_be_an_accept_before_and_after(correcting: Page) -> None:
    correcting.keyboard.press("f")
    expect(correcting.get_by_text("saving this accepts the sentence as it is")).to_be_visible()
    desks.press(correcting, "Control+Enter")
    expect(correcting.get_by_text("accepted, since nothing was changed")).to_be_visible()
    assert stored() == [("accept", "")]


def test_a_changed_sign_is_no_changed_word(correcting: Page) -> None:
    write(correcting, CANDIDATE.replace(".", "!"))
    expect(correcting.get_by_text("Only punctuation or spaces differ.")).to_be_visible()


def test_the_sentence_is_brought_back_as_it_was(correcting: Page) -> None:
    write(correcting, "Nonsense.")
    correcting.get_by_role("button", name="As it was").click()
    expect(correcting.get_by_role("textbox")).to_have_value(CANDIDATE)
    expect(correcting.get_by_role("textbox")).to_be_focused()
    expect(correcting.get_by_role("button", name="As it was")).to_be_disabled()


def test_escape_keeps_what_was_written_for_the_next_time(correcting: Page) -> None:
    write(correcting, "The church saw the old mill.")
    correcting.keyboard.press("Escape")
    expect(correcting.locator("#work .sheet")).to_be_focused()
    correcting.keyboard.press("f")
    expect(correcting.get_by_role("textbox")).to_have_value("The church saw the old mill.")


def test_a_fix_that_changes_everything_is_asked_about_once(correcting: Page) -> None:
    write(correcting, "Something else.")
    correcting.keyboard.press("Control+Enter")
    question = correcting.get_by_role("group", name="Hardly a word is left")
    expect(question.get_by_role("button", name="Keep writing")).to_be_focused()
    assert stored() == []
    correcting.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect(correcting.get_by_role("textbox")).to_be_focused()
    desks.press(correcting, "Control+Enter")
    assert stored() == [("fix", "Something else.")]


def test_it_is_saved_anyway_with_the_keyboard_alone(correcting: Page) -> None:
    write(correcting, "Something else.")
    correcting.keyboard.press("Control+Enter")
    expect(correcting.get_by_role("button", name="Keep writing")).to_be_focused()
    correcting.keyboard.press("Shift+Tab")
    desks.press(correcting, "Enter")
    assert stored() == [("fix", "Something else.")]


def test_an_empty_fix_is_never_sent_but_may_become_a_rejection(correcting: Page) -> None:
    write(correcting, " ")
    correcting.keyboard.press("Control+Enter")
    correcting.keyboard.press("Escape")
    correcting.keyboard.press("Control+Enter")
    question = correcting.get_by_role("group", name="Nothing is left of the sentence.")
    expect(question.get_by_role("button")).to_have_text(["Reject it", "Esc Keep writing"])
    answered = desks.item(correcting).input_value()
    question.get_by_role("button", name="Reject it").click()
    expect(desks.item(correcting)).not_to_have_value(answered)
    assert stored() == [("reject", "")]


def test_letters_do_nothing_to_the_item_while_the_editor_is_open(correcting: Page) -> None:
    desks.press(correcting, "a")
    write(correcting, "Two see one.")
    correcting.get_by_role("button", name="Save the fix").focus()
    for key in ("x", "u", "s", "Backspace"):
        correcting.keyboard.press(key)
    expect(correcting.get_by_role("textbox")).to_have_value("Two see one.")
    expect(correcting.locator("dialog[open]")).to_have_count(0)
    assert stored() == [("accept", "")]


def test_words_of_japanese_are_compared_in_the_editor(correcting: Page, project: Project) -> None:
    Corpus.objects.update(language="ja")
    cast.candidates(project, [("犬は猫を見た。", "猫は犬を見た。")])
    desks.press(correcting, "a")
    desks.press(correcting, "a")
    write(correcting, "猫は鳥を見た。")
    changes = correcting.locator("#changes")
    expect(changes.locator("del")).to_have_text(["犬"])
    expect(changes.locator("ins")).to_have_text(["鳥"])
    expect(correcting.locator(".desk")).to_have_attribute("lang", "ja")


def test_arabic_is_fixed_from_right_to_left(correcting: Page, project: Project) -> None:
    Corpus.objects.update(language="ar")
    cast.candidates(project, [("كتب الطالب الرسالة", "كتب الرسالة الطالب")])
    desks.press(correcting, "a")
    desks.press(correcting, "a")
    write(correcting, "كتب الرسالة طالب")
    for place in ("#text", "#changes"):
        direction = correcting.locator(place).evaluate("node => getComputedStyle(node).direction")
        assert direction == "rtl"
    expect(correcting.locator("#changes ins")).to_have_text(["طالب"])
