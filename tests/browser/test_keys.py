"""One key, one answer: and no answer where none was meant."""

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.models import Correction, Judgment, Project
from tests.annotation import cast
from tests.browser import desks
from tests.browser.people import sign_in


@pytest.fixture
def project(transactional_db: None) -> Project:
    project = cast.study(guidelines="Judge *fairly*.")
    cast.candidates(project, [(f"One sees {n}.", f"{n} sees one.") for n in range(3)])
    cast.pairs(project, 3)
    return project


@pytest.fixture
def correcting(page: Page, project: Project, live_server: LiveServer) -> Page:
    return at_work(page, project, live_server, "correct")


@pytest.fixture
def judging(page: Page, project: Project, live_server: LiveServer) -> Page:
    return at_work(page, project, live_server, "judge")


def at_work(page: Page, project: Project, server: LiveServer, task: str) -> Page:
    sign_in(page, cast.person(project).user, live_server=server)
    desks.sit_down(page, reverse(task, args=[project.public_id]))
    return page


def labels() -> list[int]:
    answered = Judgment.objects.exclude(label=None).order_by("submitted_at")
    return [judgment.label for judgment in answered if judgment.label is not None]


def corrections() -> list[tuple[str | None, str]]:
    answered = Correction.objects.exclude(action=None).order_by("submitted_at")
    return [(correction.action, correction.text) for correction in answered]


def test_one_is_same_and_two_is_different(judging: Page) -> None:
    for key in ("1", "2", "Numpad1"):
        desks.press(judging, key)
    assert labels() == [1, 0, 1]


def test_a_accepts_and_x_rejects(correcting: Page) -> None:
    desks.press(correcting, "a")
    desks.press(correcting, "x")
    assert corrections() == [("accept", ""), ("reject", "")]


def test_f_opens_the_sentence_and_ctrl_enter_saves_it(correcting: Page) -> None:
    correcting.keyboard.press("f")
    expect(correcting.get_by_role("textbox")).to_be_focused()
    correcting.keyboard.press("Home")
    correcting.keyboard.type("Ax U2 h? ")
    desks.press(correcting, "Control+Enter")
    assert corrections() == [("fix", "Ax U2 h? 0 sees one.")]


def test_escape_leaves_the_sentence_as_it_was(correcting: Page) -> None:
    correcting.keyboard.press("f")
    correcting.keyboard.type("nonsense")
    correcting.keyboard.press("Escape")
    expect(correcting.get_by_role("textbox")).to_be_hidden()
    desks.press(correcting, "a")
    assert corrections() == [("accept", "")]


def test_u_takes_the_last_answer_back(judging: Page) -> None:
    first = desks.sentences(judging)
    desks.press(judging, "1")
    desks.press(judging, "u")
    assert desks.sentences(judging) == first
    desks.press(judging, "2")
    assert labels() == [0]


def test_backspace_takes_answers_back_one_by_one(judging: Page) -> None:
    first = desks.sentences(judging)
    desks.press(judging, "1")
    desks.press(judging, "1")
    desks.press(judging, "Backspace")
    desks.press(judging, "Backspace")
    assert desks.sentences(judging) == first
    assert labels() == []


def test_quick_presses_answer_one_item_and_not_the_next(judging: Page) -> None:
    """A clock that stands still: on a slow machine no press comes quickly after a swap."""
    judging.clock.install()
    desks.sit_down(judging, judging.url)
    judging.clock.pause_at(judging.evaluate("Date.now()") + 60_000)
    answered = desks.item(judging).input_value()
    judging.keyboard.press("1")
    judging.keyboard.press("1")
    expect(desks.item(judging)).not_to_have_value(answered)
    judging.clock.run_for(250)
    judging.keyboard.press("1")
    judging.clock.run_for(1000)
    desks.wait_until_ready(judging)
    assert labels() == [1]


def test_a_double_click_answers_once(judging: Page) -> None:
    answered = desks.item(judging).input_value()
    judging.get_by_role("button", name="Same meaning").dblclick()
    expect(desks.item(judging)).not_to_have_value(answered)
    desks.wait_until_ready(judging)
    assert labels() == [1]


@pytest.mark.parametrize("key", ["Control+1", "Alt+1", "Meta+1"])
def test_a_key_with_a_modifier_is_not_an_answer(judging: Page, key: str) -> None:
    judging.keyboard.press(key)
    judging.wait_for_timeout(300)
    assert labels() == []


@pytest.mark.parametrize(
    "composing", ["isComposing: true", "keyCode: 229"], ids=["flag", "key code of old"]
)
def test_a_key_that_composes_a_character_is_not_an_answer(judging: Page, composing: str) -> None:
    judging.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        f" {{key: '1', code: 'Digit1', bubbles: true, {composing}}}))"
    )
    judging.wait_for_timeout(300)
    assert labels() == []


def test_enter_that_ends_a_composition_does_not_save_a_fix(correcting: Page) -> None:
    correcting.keyboard.press("f")
    correcting.evaluate(
        "document.getElementById('text').dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true, isComposing: true}))"
    )
    correcting.wait_for_timeout(300)
    assert corrections() == []


def test_every_key_of_the_page_is_in_its_list(judging: Page) -> None:
    judging.keyboard.press("?")
    listed = set("".join(judging.locator("#keys kbd").all_inner_texts()).replace("Esc", ""))
    bearers = judging.locator("[data-key]:not(dialog [data-key])").all()
    keys = {(each.get_attribute("data-key") or "").split()[0].upper() for each in bearers}
    assert keys - {"?"} <= listed


def test_a_key_that_is_held_down_is_one_answer(judging: Page) -> None:
    for _ in range(4):
        judging.keyboard.down("1")
        judging.wait_for_timeout(200)
    judging.keyboard.up("1")
    desks.wait_until_ready(judging)
    assert labels() == [1]


def test_letters_answer_on_a_keyboard_of_another_script(correcting: Page) -> None:
    answered = desks.item(correcting).input_value()
    correcting.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'ф', code: 'KeyA', bubbles: true}))"
    )
    expect(desks.item(correcting)).not_to_have_value(answered)
    assert corrections() == [("accept", "")]


def test_h_opens_the_guidelines_and_no_answer_is_given_meanwhile(judging: Page) -> None:
    guidelines = judging.get_by_role("dialog", name="Guidelines")
    judging.keyboard.press("h")
    expect(guidelines.get_by_text("fairly")).to_be_visible()
    judging.keyboard.press("1")
    judging.keyboard.press("h")
    expect(guidelines).to_be_hidden()
    assert labels() == []
    desks.press(judging, "1")
    assert labels() == [1]


def test_the_question_mark_lists_the_keys_and_can_switch_them_off(judging: Page) -> None:
    judging.keyboard.press("?")
    judging.get_by_label("Answer with single keys").uncheck()
    judging.keyboard.press("Escape")
    judging.keyboard.press("1")
    judging.reload()
    desks.wait_until_ready(judging)
    judging.keyboard.press("1")
    judging.wait_for_timeout(300)
    assert labels() == []


def test_the_next_item_has_the_focus_and_the_answer_is_announced(judging: Page) -> None:
    desks.press(judging, "1")
    expect(judging.locator("#work .sheet")).to_be_focused()
    expect(judging.locator("#announcer")).to_have_text("Saved.")


def test_a_grade_is_the_key_of_its_number(page: Page, live_server: LiveServer) -> None:
    graded = cast.study(protocol="parade")
    cast.pairs(graded, 2)
    at_work(page, graded, live_server, "judge")
    desks.press(page, "3")
    desks.press(page, "0")
    assert labels() == [3, 0]
