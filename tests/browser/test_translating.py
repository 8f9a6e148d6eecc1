"""Translating and validating by keyboard; what is written is lost by no slip and sent by no IME."""

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import Slot, Term
from tests.annotation.translating import people, study, translate_next
from tests.browser.page_check import faults
from tests.browser.work_page import await_ready, item, keys, press, reload

TEXTS = [
    ("Ada met Bo in Rome on 12 May.", "Bo met Ada in Rome on 12 May."),
    ("The old mill burned.", "It rained."),
    ("Snow falls.", "It snows at night."),
]


@pytest.fixture
def project(transactional_db):
    return study(TEXTS, people=2, validated_share=1.0)


@pytest.fixture
def translator(project):
    return people(project)[0]


@pytest.fixture
def text(at_work, translator):
    """The field of a translator."""
    return at_work(translator, "translate").locator("#text")


def stored():
    rows = Slot.objects.filter(kind="translate").exclude(submitted_at=None)
    return list(rows.order_by("submitted_at").values_list("action", "text"))


def test_three_sentences_by_keyboard_with_a_draft_that_survives_a_reload(page, text):
    expect(text).to_be_focused()
    page.keyboard.type("Eins, x und u.")
    press(page, "Control+Enter")
    expect(text).to_be_focused()
    page.keyboard.type("Zwei, x und u")
    reload(page)
    expect(page.get_by_text("This translation isn’t saved yet.")).to_be_visible()
    expect(text).to_be_focused()
    expect(text).to_have_value("Zwei, x und u")
    keys(page, "Escape", "u")
    expect(text).to_have_value("Eins, x und u.")  # the former answer, in the field
    await_ready(page)
    press(page, "Control+Enter")
    expect(text).to_have_value("Zwei, x und u")  # the draft of the sentence that was left
    press(page, "Control+Enter")
    keys(page, "Escape", "x", "4")
    expect(page.locator("#why")).to_be_focused()
    page.keyboard.type("Who slept?")
    press(page, "Enter")
    assert stored() == [
        ("translate", "Eins, x und u."),
        ("translate", "Zwei, x und u"),
        ("other", "Who slept?"),
    ]


def test_an_unchanged_or_empty_text_is_asked_about_and_composing_sends_nothing(page, text):
    source = page.locator("#work .sheet .sentence").inner_text()
    keys(page, "Control+Enter")
    expect(page.get_by_role("group", name="There is no translation yet.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(text).to_be_focused()
    text.fill("Ka")
    for composing in ({"isComposing": True}, {"keyCode": 229}):
        pressed = {"key": "Enter", "code": "Enter", "ctrlKey": True, **composing}
        text.dispatch_event("keydown", pressed)
    expect(page.locator("#work")).to_have_attribute("data-state", "ready")
    assert stored() == []
    text.fill(source)
    page.keyboard.press("Control+Enter")
    asked = page.get_by_role("group", name="This is the same as the source.")
    expect(asked.get_by_role("button", name="Keep editing")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    await_ready(page)
    press(page, "Enter")  # saved anyway
    assert stored() == [("translate", source)]


def test_warnings_and_terms_are_beside_the_text_and_a_term_is_proposed(page, project, text):
    Term.objects.create(project=project, source="in", target="inmitten", approved_at=timezone.now())
    while "12" not in page.locator("#work .sheet").inner_text():
        page.keyboard.type("Etwas.")
        press(page, "Control+Enter")
    page.keyboard.type("Ada traf Bo")
    warnings = page.locator("#warnings")
    expect(warnings).to_contain_text("Numbers of the source that are missing: 12")
    expect(page.get_by_role("heading", name="Terms", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("t")
    expect(page.get_by_label("Term", exact=True)).to_be_focused()
    page.keyboard.type("mill")
    page.keyboard.press("Tab")
    page.keyboard.type("Mühle")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Sent to the project managers.")).to_be_visible()
    keys(page, "Escape", "e")
    page.keyboard.type("etwas")
    expect(page.locator("#found")).to_contain_text("Etwas.", timeout=10_000)
    assert Term.objects.filter(source="mill", approved_at=None).exists()


def test_a_translation_is_fixed_beside_its_source(page, project, at_work):
    first, second = people(project)
    made = translate_next(first, "Ada traf Bo in Rom.")
    at_work(second, "validate")
    source = page.locator("#work .sheet.source")
    keys(page, "f")
    page.keyboard.type(" Ja.")
    expect(source).to_be_visible()
    expect(page.locator("#changes ins")).to_have_text("Ja.")
    answered = item(page).input_value()
    page.keyboard.press("Control+Enter")
    expect(item(page)).not_to_have_value(answered)
    assert Slot.objects.get(item__origin=made).text == "Ada traf Bo in Rom. Ja."


def test_a_fix_is_counted_in_the_unit_of_the_word_error_rate(page, transactional_db, at_work):
    project = study(TEXTS, people=2, language="ja", validated_share=1.0)
    first, second = people(project)
    translate_next(first, "エイダはローマで会った。")
    at_work(second, "validate")
    keys(page, "f")
    page.keyboard.type("ね。")
    expect(page.locator("#count")).to_have_text(
        "Characters changed: 2. Total characters: 12 before, 14 now."
    )


@pytest.mark.parametrize(
    ("language", "written"), [("ar", "التقت آدا ببو."), ("ja", "エイダはローマでボーに会った。")]
)
def test_both_pages_suit_every_person_in_another_script(
    checked_page, signed_in, transactional_db, language, written
):
    project = study(TEXTS, people=2, language=language, validated_share=1.0)
    first, second = people(project)
    Term.objects.create(project=project, source="in", target="x", approved_at=timezone.now())
    for kind, member in (("translate", first), ("validate", second)):
        signed_in(member.user, checked_page)
        checked_page.set_viewport_size({"width": 1280, "height": 800})
        checked_page.goto(reverse("work", args=[project.public_id, kind]))
        await_ready(checked_page)
        if kind == "translate":
            checked_page.keyboard.type(written)
            expect(checked_page.locator("#text")).to_have_value(written)
            press(checked_page, "Control+Enter")
        assert faults(checked_page) == [], kind
