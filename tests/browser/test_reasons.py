"""Why a label was chosen, by keyboard, by touch and without scripts."""

import pytest
from playwright.sync_api import expect

from annotation.models import Judgment
from annotation.stats.spans import marked
from tests.annotation import make
from tests.browser.work_page import await_ready, item, keys, press

# Emoji of several code points and a letter outside the basic plane come before words to mark.
PAIRS = {
    "en": ("👩‍🌾 A farmer sold a cow to 𝒜da.", "👍🏽 Ada sold the farmer a cow."),
    "ar": ("🧑‍🎨 شكر المغني الرسام 𝒜 أمس.", "👍🏽 شكر الرسام المغني أمس."),
}
WHY = "The farmer sells, then buys."


def judge_of(language="en", flipped=True, **settings):
    project = make.study(**settings)
    made = make.candidates(project, [PAIRS[language]], method="back_translation")
    type(made[0].sentence.corpus).objects.update(language=language)
    make.pairs(project, 2)
    project.pairs.update(flipped=flipped)
    return make.person(project)


def stored():
    """Labels with the text and the marked words of each answer, in the order of the pair."""
    slots = Judgment.objects.answered().select_related("item__sentence1", "item__sentence2")
    return [
        (slot.label, slot.text, marked(slot.words or [], slot.item.texts))
        for slot in slots.order_by("submitted_at")
    ]


def word(page, text):
    return page.locator("#work").get_by_role("button", name=text, exact=True).first


def test_a_key_chooses_the_label_and_ctrl_enter_sends_it_with_the_reason(at_work, transactional_db):
    page = at_work(judge_of(reasons="required"))
    keys(page, "2")
    expect(page.get_by_label("Why?")).to_be_focused()
    expect(page.locator("#reason-state")).to_contain_text("“Different meaning” is chosen")
    page.keyboard.press("Escape")
    expect(page.locator("#work [name=label][aria-pressed]")).to_have_count(0)
    expect(page.locator("#work .sheet")).to_be_focused()
    keys(page, "1")
    page.keyboard.type(WHY)
    press(page, "Control+Enter")
    assert stored() == [(1, WHY, [])]


def test_save_asks_for_an_answer_first(at_work, transactional_db):
    page = at_work(judge_of(reasons="required"))
    page.keyboard.press("r")
    page.keyboard.type("A reason that comes first, with 1 and 2.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("Choose an answer first.")).to_be_visible()
    keys(page, "2")
    press(page, "Control+Enter")
    assert stored() == [(0, "A reason that comes first, with 1 and 2.", [])]


def test_an_answer_without_its_reason_is_refused_and_stays_chosen(at_work, transactional_db):
    page = at_work(judge_of(reasons="required"))
    pair = item(page).input_value()
    keys(page, "1", "Control+Enter")
    expect(page.locator(".notice")).to_contain_text("Say why in a few words")
    expect(item(page)).to_have_value(pair)
    expect(page.get_by_label("Why?")).to_be_focused()
    await_ready(page)
    page.keyboard.type(WHY)
    press(page, "Control+Enter")
    assert stored() == [(1, WHY, [])]


@pytest.mark.parametrize("flipped", [False, True])
def test_arrows_move_between_words_and_space_marks_them(at_work, transactional_db, flipped):
    page = at_work(judge_of(reasons="required", flipped=flipped))
    word(page, "farmer").focus()
    keys(page, "Space", "ArrowRight", "Enter", "ArrowLeft", "Space", "Space")
    expect(word(page, "farmer")).to_have_attribute("aria-pressed", "true")
    keys(page, "ArrowDown")
    expect(page.locator(".sentence").last.locator(".word:focus")).to_have_count(1)
    keys(page, "1")
    press(page, "Control+Enter")
    [(label, text, words)] = stored()
    assert (label, text, sorted(words)) == (1, "", sorted(["farmer", "a" if flipped else "sold"]))


@pytest.mark.parametrize("language", PAIRS)
def test_tapped_words_are_those_that_are_stored_at_390_pixels(
    at_work, new_page, transactional_db, language
):
    phone = new_page(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = at_work(judge_of(language, reasons="required"), page=phone)
    tapped = {"en": ["farmer", "𝒜da"], "ar": ["الرسام", "أمس"]}[language]
    first, second = page.locator("#work .sentence").all()
    second.get_by_role("button", name=tapped[0], exact=True).tap()
    second.get_by_role("button", name=tapped[1], exact=True).tap()
    first.get_by_role("button", name=tapped[0], exact=True).tap()
    for box in page.locator(".word").all():
        size = box.bounding_box()
        assert min(size["width"], size["height"]) >= 24
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    answered = item(page).input_value()
    page.get_by_role("button", name="Same meaning").tap()
    page.get_by_role("button", name="Save", exact=True).tap()
    expect(item(page)).not_to_have_value(answered)
    assert stored() == [(1, "", [*tapped, tapped[0]])]


def test_words_are_buttons_only_while_they_are_marked(at_work, transactional_db):
    page = at_work(judge_of(reasons="required"))
    before = page.locator("#work .sentence").all_inner_texts()
    expect(word(page, "farmer")).to_be_visible()
    page.keyboard.press("d")  # highlighting goes with marking
    expect(word(page, "farmer")).to_be_visible()
    page.keyboard.press("m")
    expect(page.locator(".word").first).to_be_focused()
    page.keyboard.press("m")
    expect(page.locator(".word")).to_have_count(0)
    assert page.locator("#work .sentence").all_inner_texts() == before


def test_words_are_marked_by_keys_while_one_writes(at_work, transactional_db):
    page = at_work(judge_of(reasons="required"))
    keys(page, "1")
    page.keyboard.type("Mm")
    keys(page, "Control+m", "Space", "m")
    expect(page.get_by_label("Why?")).to_be_focused()
    press(page, "Control+Enter")
    assert stored() == [(1, "Mm", ["Ada"])]


def test_the_key_of_words_opens_the_panel_of_an_optional_reason(at_work, transactional_db):
    page = at_work(judge_of(reasons="optional"))
    page.keyboard.press("m")
    expect(page.locator(".word").first).to_be_focused()
    keys(page, "Space", "1")
    press(page, "Control+Enter")
    assert stored() == [(1, "", ["Ada"])]


def test_an_optional_reason_opens_by_r_and_else_a_key_answers_at_once(at_work, transactional_db):
    page = at_work(judge_of(reasons="optional"))
    press(page, "2")
    keys(page, "r")
    expect(page.get_by_label("Why?")).to_be_focused()
    page.keyboard.type(WHY)
    keys(page, "Escape", "1")
    press(page, "Control+Enter", "1")
    assert stored() == [(0, "", []), (1, WHY, []), (1, "", [])]


def test_labels_without_need_of_a_reason_answer_at_once(at_work, transactional_db):
    page = at_work(judge_of(reasons="required", reason_labels=[0]))
    expect(page.get_by_text("Needed for: Different meaning.")).to_be_visible()
    press(page, "1")
    keys(page, "2")
    expect(page.get_by_label("Why?")).to_be_focused()
    assert stored() == [(1, "", [])]


def test_a_reopened_answer_has_its_reason_and_marks(at_work, transactional_db):
    page = at_work(judge_of(reasons="required"))
    word(page, "farmer").click()
    keys(page, "1")
    page.keyboard.type(WHY)
    press(page, "Control+Enter", "u")
    expect(page.get_by_label("Why?")).to_have_value(WHY)
    expect(word(page, "farmer")).to_have_attribute("aria-pressed", "true")
    keys(page, "2")
    press(page, "Control+Enter")
    assert stored() == [(0, WHY, ["farmer"])]


def test_without_scripts_a_reason_is_a_text(new_page, signed_in, transactional_db):
    member = judge_of(reasons="required")
    page = signed_in(member.user, new_page(java_script_enabled=False))
    page.goto("/")
    page.get_by_role("link", name="Judge").click()
    page.get_by_role("button", name="Same meaning").click()
    expect(page.get_by_text("Say why in a few words")).to_be_visible()
    page.get_by_label("Why?").fill(WHY)
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_hidden()
    page.get_by_role("button", name="Same meaning").click()
    expect(page.get_by_text("1 today")).to_be_visible()
    assert stored() == [(1, WHY, [])]
