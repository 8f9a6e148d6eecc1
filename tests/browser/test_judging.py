"""Judging and skipping: one key, one answer, and no answer where none was meant."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import Correction, Judgment, Project, Skip
from annotation.quality.services import interventions
from annotation.stats.labels import Label, Level, Rule, Scheme
from annotation.work import waiting
from tests.annotation import make
from tests.browser.work_page import await_ready, hold_clock, item, keys, press, reload, sentences

IDLE = 20
BEGUN = 0.5  # seconds that an item has been in view when the clock is held again


@pytest.fixture
def alice(transactional_db):
    project = make.study(guidelines="Judge *fairly*.", idle_seconds=IDLE)
    make.pairs(project, 10)
    return make.person(project)


def stored(column="label"):
    judged = Judgment.objects.exclude(submitted_at=None).order_by("submitted_at")
    return list(judged.values_list(column, flat=True))


def test_number_keys_judge_u_and_backspace_take_back_and_l_lists_answers(at_work, alice):
    page = at_work(alice)
    first = sentences(page)
    press(page, "1")
    expect(page.locator("#work .sheet")).to_be_focused()
    expect(page.locator("#announcer")).to_have_text("Saved.")
    press(page, "u")
    assert sentences(page) == first
    press(page, "2", "Numpad1")
    assert stored() == [0, 1]
    keys(page, "l", "1")
    listed = page.get_by_role("dialog", name="Your last answers").get_by_role("listitem")
    expect(listed).to_contain_text(["Same meaning", "Different meaning"])
    page.keyboard.press("l")
    press(page, "Backspace", "Backspace")
    assert sentences(page) == first
    assert stored() == []


def test_the_row_below_the_answers_is_one_line_while_many_are_left(at_work, alice, monkeypatch):
    monkeypatch.setattr(waiting, "SHOWN", 5)
    page = at_work(alice)
    page.set_viewport_size({"width": 1280, "height": 800})
    press(page, "2")
    expect(page.locator(".tally")).to_contain_text("more than 5 left")
    assert page.locator(".status").bounding_box()["height"] < 40


def test_an_answer_is_changed_from_the_list_of_the_last_ones(at_work, alice):
    page = at_work(alice)
    first = item(page).input_value()
    press(page, "1", "1")
    held = item(page).input_value()
    page.keyboard.press("l")
    listed = page.get_by_role("dialog", name="Your last answers").get_by_role("listitem")
    listed.last.get_by_role("button", name="Change").click()
    expect(item(page)).to_have_value(first)
    expect(page.locator("#work .former")).to_contain_text("Same meaning")
    press(page, "2")
    expect(item(page)).to_have_value(held)
    assert stored() == [1, 0]


def test_quick_presses_a_double_click_and_a_held_key_answer_one_pair(at_work, alice, clock_page):
    page = at_work(alice, page=clock_page)
    hold_clock(page)
    reload(page)  # ready at once: the first item of a page follows no answer

    def answer(act):
        answered = item(page).input_value()
        act()
        expect(item(page)).not_to_have_value(answered)
        page.clock.run_for(250)
        page.keyboard.press("1")  # meant for the pair before
        page.clock.run_for(1000)
        await_ready(page)

    answer(lambda: keys(page, "1", "1"))
    assert stored() == [1]
    answer(page.get_by_role("button", name="Different meaning").dblclick)
    assert stored() == [1, 0]
    answer(lambda: page.keyboard.down("2"))
    page.keyboard.down("2")
    page.keyboard.up("2")
    answer(lambda: page.keyboard.press("1"))
    assert stored() == [1, 0, 0, 1]


def test_only_single_keys_answer_beside_open_dialogs_and_they_can_be_switched_off(at_work, alice):
    page = at_work(alice)
    keys(page, "Control+1", "Alt+1", "Meta+1")
    for composing in ({"isComposing": True}, {"keyCode": 229}):
        page.dispatch_event("body", "keydown", {"key": "1", "code": "Digit1"} | composing)
    page.keyboard.press("h")
    expect(page.get_by_role("dialog", name="Guidelines").get_by_text("fairly")).to_be_visible()
    keys(page, "1", "h", "?")
    listed = set("".join(page.locator("#keys kbd").all_inner_texts()).replace("Esc", ""))
    bearers = page.locator("[data-key]:not(dialog [data-key])").all()
    used = {each.get_attribute("data-key").split()[0].upper() for each in bearers}
    assert {"1", "2", "U", "S"} <= used - {"?"} <= listed
    page.get_by_label("Use single-key shortcuts").uncheck()
    keys(page, "Escape", "1")
    reload(page)
    answered = item(page).input_value()
    page.keyboard.press("1")
    page.get_by_role("button", name="Different meaning").click()
    expect(item(page)).not_to_have_value(answered)
    assert stored() == [0]


def test_a_warning_comes_to_an_open_page_and_goes_when_it_was_read(at_work, alice, clock_page):
    page = at_work(alice, page=clock_page)
    interventions.warn(alice, by=None, reason="Read slowly.")
    page.clock.fast_forward(301_000)
    warning = page.get_by_text("Read slowly.")
    expect(warning).to_be_visible()
    page.get_by_role("button", name="I have read this").click()
    expect(warning).to_be_hidden()
    reload(page)
    expect(warning).to_be_hidden()


def seconds_of_the_answer(page):
    answered = item(page).input_value()
    # The page's clock is ahead of the server's, which stores no more time than since the claim.
    long_ago = timezone.now() - timedelta(days=1)
    Judgment.objects.in_progress().update(claimed_at=long_ago)
    page.keyboard.press("1")
    expect(item(page)).not_to_have_value(answered)
    page.clock.run_for(1000 * BEGUN)
    await_ready(page)
    return Judgment.objects.get(item__public_id=answered, label=1).seconds


def test_time_on_a_pair_counts_while_the_page_is_seen_and_used(at_work, alice, clock_page):
    page = at_work(alice, page=clock_page)
    hold_clock(page)
    seconds_of_the_answer(page)
    page.clock.run_for(12_000)
    assert seconds_of_the_answer(page) == pytest.approx(BEGUN + 12, abs=0.05)
    for sign in ("keydown", "pointerdown", "pointermove", "touchstart", "wheel", "scroll"):
        page.clock.run_for(300_000)
        page.dispatch_event("body", sign, {"key": "Shift", "code": "Shift"})
        page.clock.run_for(7000)
        assert seconds_of_the_answer(page) == pytest.approx(IDLE + 7, abs=0.05), sign
    for hidden, seconds in (("false", 3), ("true", 10), ("false", 4)):
        page.evaluate(
            f"Object.defineProperty(document, 'hidden', {{value: {hidden}, configurable: true}});"
            " document.dispatchEvent(new Event('visibilitychange'));"
        )
        page.clock.run_for(1000 * seconds)
    assert seconds_of_the_answer(page) == pytest.approx(BEGUN + 7, abs=0.05)


@pytest.fixture
def mills(transactional_db):
    project, mills = make.study(), ("The old mill by the church.", "The old church by the mill.")
    towns = ("Bremen lies north of Ulm.", "Ulm lies north of Bremen.")
    make.candidates(project, [mills, towns], method="back_translation")
    return make.person(project)


def test_d_marks_and_unmarks_what_differs_and_the_choice_is_kept(at_work, mills):
    page = at_work(mills)
    marks, before = page.locator("#work mark"), sentences(page)
    expect(marks).to_have_count(0)
    page.keyboard.press("d")
    expect(page.locator("#marking")).to_have_attribute("aria-pressed", "true")
    expect(marks).to_have_count(4)
    expect(page.locator("#announcer")).to_have_text("Differences are highlighted.")
    assert sentences(page) == before
    expect(marks.first).to_have_css("text-decoration-line", "underline")  # not a colour alone
    reload(page)
    expect(marks).to_have_count(4)
    page.keyboard.press("d")
    expect(marks).to_have_count(0)
    assert sentences(page) == before
    press(page, "1", "1")
    assert stored("highlighted") == [True, False]  # those of the first were seen


def test_projects_always_mark_or_forbid_marks_and_skips(at_work, mills):
    Project.objects.update(highlighting="always")
    page = at_work(mills)
    marks = page.locator("#work mark")
    expect(marks).to_have_count(4)
    assert set(marks.all_inner_texts()) == {"mill", "church"}
    expect(page.get_by_role("button", name="Highlight differences")).to_have_count(0)
    press(page, "1")
    expect(marks).to_have_count(4)
    Project.objects.update(highlighting="forbidden", skipping="forbidden")
    page.evaluate("localStorage.setItem(`marks ${location.pathname}`, 'on')")
    reload(page)
    keys(page, "d", "s")
    expect(marks).to_have_count(0)
    expect(page.locator("dialog[open]")).to_have_count(0)
    press(page, "1")
    assert stored("highlighted") == [True, False]


@pytest.mark.parametrize("kind", ["judge", "correct"])
def test_items_are_skipped_for_a_reason_or_in_ones_own_words(at_work, transactional_db, kind):
    project = make.study()
    make.candidates(project, [(f"One sees {n}.", f"{n} sees one.") for n in range(3)])
    make.pairs(project, 3)
    page = at_work(make.person(project), kind)
    dialog = page.get_by_role("dialog", name="Why are you skipping this?")
    keys(page, "s", "1", "Escape", "s")
    expect(page.get_by_label("I can’t tell")).not_to_be_checked()
    page.keyboard.press("s")
    expect(dialog).to_be_hidden()
    page.keyboard.press("s")
    expect(page.get_by_label("I can’t tell")).to_be_focused()
    page.keyboard.press("2")
    expect(page.get_by_label("Not a valid sentence")).to_be_checked()
    press(page, "Enter")
    expect(page.locator("#work .sheet")).to_be_focused()
    expect(page.get_by_text("Saved: skipped")).to_be_visible()
    keys(page, "s", "4")
    page.keyboard.press("Enter")
    expect(dialog).to_be_visible()
    page.keyboard.type("A poem; s 1 2 3.")
    press(page, "Enter")
    skips = Skip.objects.order_by("pk").values_list("reason", "note")
    assert list(skips) == [("broken", ""), ("other", "A poem; s 1 2 3.")]
    assert stored() == list(Correction.objects.exclude(submitted_at=None)) == []


def test_keys_that_a_person_has_changed_answer_and_the_default_ones_no_longer_do(at_work, alice):
    alice.user.shortcuts = {"same": "j", "recent": "1"}
    alice.user.save()
    page = at_work(alice)
    answered = item(page).input_value()
    keys(page, "1")  # now the key of the last answers
    expect(page.get_by_role("dialog", name="Your last answers")).to_be_visible()
    keys(page, "1")
    expect(item(page)).to_have_value(answered)
    press(page, "j")
    assert stored() == [1]


def test_a_digit_chooses_its_value_unless_a_minus_sign_comes_first(at_work, transactional_db):
    labels = tuple(Label(value, str(value)) for value in range(-5, 6))
    scheme = Scheme(labels, Level.ORDINAL, Rule.MOST)
    project = make.study(scheme=scheme, consensus_min_votes=3)
    make.pairs(project, 3)
    page = at_work(make.person(project))
    press(page, "5")
    keys(page, "Minus", "5")
    press(page, "q")
    judgments = Judgment.objects.filter(submitted_at__isnull=False).order_by("serial")
    assert list(judgments.values_list("label", flat=True)) == [10, 0]
