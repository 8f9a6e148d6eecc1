"""No answer is lost and none is stored twice, whatever the network does."""

from itertools import cycle
from types import SimpleNamespace

import pytest
from playwright.sync_api import Route, expect

from annotation.models import Comment, Correction, Judgment, Skip, Translation
from tests.annotation import make, translating
from tests.browser.work_page import await_ready, hold_clock, item, keys, press, reload

NOT_SAVED = "Not saved yet: the server"


@pytest.fixture
def alice(transactional_db):
    project = make.study()
    make.candidates(project, [(f"One sees {n}.", f"{n} sees one.") for n in range(2)])
    make.pairs(project, 6)
    return make.person(project)


@pytest.fixture
def network(clock_page):
    """Its `fate` is what becomes of each request, from before the first page on."""
    network = SimpleNamespace(fate=Route.fallback)
    clock_page.route("**/*", lambda route: network.fate(route))
    return network


def lose_one_reply(network):
    """The next answer reaches the server, and its reply not the page."""

    def lose(route):
        if route.request.method != "POST":
            return route.fallback()
        network.fate = Route.fallback
        route.fetch()
        return route.abort()

    network.fate = lose


def lose_answers(route):
    """No answer reaches the server; pages do."""
    return route.abort() if route.request.method == "POST" else route.fallback()


@pytest.fixture
def judging(network, at_work, alice, clock_page):
    return at_work(alice, page=clock_page)


def judgments():
    answered = Judgment.objects.exclude(submitted_at=None).order_by("submitted_at")
    return [(str(each.item.public_id), each.label) for each in answered.select_related("item")]


def test_an_answer_given_offline_is_stored_once_when_the_network_is_back(judging):
    state, answered = judging.locator("#work .state"), item(judging).input_value()
    judging.context.set_offline(True)
    expect(state).to_have_text("Offline", use_inner_text=True)
    judging.keyboard.press("1")
    expect(judging.get_by_text(NOT_SAVED)).to_be_visible()
    expect(state).to_have_text("Not saved yet", use_inner_text=True)
    judging.keyboard.press("2")  # no other answer is taken meanwhile
    assert judgments() == []
    judging.context.set_offline(False)
    expect(item(judging)).not_to_have_value(answered)
    expect(judging.get_by_text(NOT_SAVED)).to_be_hidden()
    expect(state).to_have_text("Saved: Same meaning", use_inner_text=True)
    assert judgments() == [(answered, 1)]


def test_a_fix_is_not_saved_yet_while_it_is_written_and_asks_before_it_is_left(
    at_work, alice, page
):
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    at_work(alice, "correct", page)
    state = page.locator("#work .state")
    page.keyboard.press("f")
    expect(state).to_have_text("All saved", use_inner_text=True)
    page.keyboard.type(" More.")
    expect(state).to_have_text("Not saved yet", use_inner_text=True)
    page.goto("/")
    assert asked == ["beforeunload"]
    at_work(alice, "correct", page)
    page.keyboard.press("Escape")
    expect(state).to_have_text("All saved", use_inner_text=True)


def test_a_reason_is_not_saved_yet_until_its_dialog_is_closed(judging):
    state = judging.locator("#work .state")
    keys(judging, "s", "1")
    expect(state).to_have_text("Not saved yet", use_inner_text=True)
    judging.keyboard.press("Escape")
    expect(state).to_have_text("All saved", use_inner_text=True)


def test_a_note_is_kept_until_it_is_sent_and_leaves_the_item(judging):
    first = item(judging).input_value()
    note, text = judging.get_by_role("link", name="Leave a note"), judging.get_by_label("Your note")
    note.click()
    expect(text).to_be_focused()
    judging.keyboard.type("Is May the month?")
    judging.keyboard.press("Escape")
    expect(judging.locator("#work .state")).to_have_text("Not saved yet", use_inner_text=True)
    press(judging, "1")
    reload(judging)
    note.click()
    expect(text).to_have_value("Is May the month?")
    judging.get_by_role("button", name="Send note").click()
    expect(judging.get_by_text("Sent to the managers.")).to_be_visible()
    comment = Comment.objects.select_related("thread__item").get()
    assert (str(comment.thread.item.public_id), comment.text) == (first, "Is May the month?")
    judging.keyboard.press("Escape")
    expect(judging.locator("#work .state")).to_have_text("All saved", use_inner_text=True)


def test_an_outage_costs_and_doubles_nothing(judging, network):
    answered, sent = item(judging).input_value(), []
    failures = cycle([500, 502, None, 503, 429, 408])

    def fail(route):
        if route.request.method != "POST":
            return route.fallback()
        sent.append(route.request.post_data)
        status = next(failures)
        return route.fulfill(status=status) if status else route.abort()

    hold_clock(judging)
    network.fate = fail
    judging.keyboard.press("1")
    for fate in [fail] * 6 + [Route.fallback]:
        expect(judging.locator("#work")).to_have_attribute("data-state", "waiting")
        expect(judging.get_by_role("alert").get_by_text(NOT_SAVED)).to_be_visible()
        judging.keyboard.press("2")  # an impatient hand
        assert judgments() == []
        network.fate = fate
        with judging.expect_request(lambda request: request.method == "POST") as last:
            judging.clock.run_for(15_000)  # sends more than once if the server fails quickly
    judging.clock.resume()
    expect(item(judging)).not_to_have_value(answered)
    expect(judging.get_by_text(NOT_SAVED)).to_be_hidden()
    await_ready(judging)
    assert judgments() == [(answered, 1)]
    assert {*sent, last.value.post_data} == {sent[0]}  # with the time of the first try


def test_what_arrived_but_was_not_confirmed_is_stored_once(judging, network):
    first = item(judging).input_value()
    lose_one_reply(network)
    judging.keyboard.press("1")
    expect(item(judging)).not_to_have_value(first)
    await_ready(judging)
    assert judgments() == [(first, 1)]
    second = item(judging).input_value()
    press(judging, "1")
    lose_one_reply(network)
    judging.keyboard.press("u")
    expect(item(judging)).to_have_value(second)
    await_ready(judging)
    assert judgments() == [(first, 1)]
    lose_one_reply(network)
    keys(judging, "s", "1", "Enter")
    expect(item(judging)).not_to_have_value(second)
    assert Skip.objects.count() == 1


def test_an_answer_that_the_server_refuses_is_not_sent_again(judging):
    judging.context.clear_cookies(name="csrftoken")
    judging.keyboard.press("1")
    expect(judging.get_by_text("Couldn’t save this answer.")).to_be_visible()
    judging.get_by_role("link", name="Reload the page").click()
    press(judging, "1")
    assert len(judgments()) == 1


def test_a_page_with_an_unsaved_answer_asks_before_it_is_left(judging, network):
    asked = []
    judging.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    hold_clock(judging)
    network.fate = Route.abort
    judging.keyboard.press("1")
    expect(judging.get_by_text(NOT_SAVED)).to_be_visible()
    network.fate = Route.fallback
    judging.goto("/")
    assert asked == ["beforeunload"]


def test_a_fix_that_was_begun_outlives_a_reload_and_a_session(at_work, alice, page):
    at_work(alice, "correct", page)
    text = page.get_by_role("textbox")
    page.keyboard.press("f")
    page.keyboard.type(" My work.")
    reload(page)
    expect(text).to_have_value("0 sees one. My work.")
    page.context.clear_cookies(name="sessionid")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_label("Password")).to_be_visible()
    at_work(alice, "correct")
    expect(text).to_have_value("0 sees one. My work.")
    press(page, "Control+Enter")
    assert Correction.objects.exclude(submitted_at=None).get().text == "0 sees one. My work."


def test_a_translation_stays_in_its_field_until_the_server_has_it(
    network, at_work, transactional_db, clock_page
):
    [translator] = translating.people(translating.study(people=1))
    page = at_work(translator, "translate", clock_page)
    text, answered = page.locator("#text"), item(page).input_value()
    page.keyboard.type("Ada traf Bo.")
    hold_clock(page)
    network.fate = Route.abort
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert").get_by_text(NOT_SAVED)).to_be_visible()
    expect(text).to_have_value("Ada traf Bo.")
    network.fate = Route.fallback
    page.clock.run_for(15_000)
    page.clock.resume()
    expect(item(page)).not_to_have_value(answered)
    expect(page.get_by_text(NOT_SAVED)).to_be_hidden()
    stored = Translation.objects.exclude(submitted_at=None).get()
    assert (str(stored.item.public_id), stored.text) == (answered, "Ada traf Bo.")


def test_a_translation_that_was_not_sent_outlives_the_page(
    network, at_work, transactional_db, clock_page
):
    [translator] = translating.people(translating.study(people=1))
    page = at_work(translator, "translate", clock_page)
    page.on("dialog", lambda dialog: dialog.accept())
    page.keyboard.type("Ada traf Bo.")
    hold_clock(page)
    network.fate = lose_answers
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert").get_by_text(NOT_SAVED)).to_be_visible()
    page.reload()
    expect(page.locator("#text")).to_have_value("Ada traf Bo.")
    assert not Translation.objects.exclude(submitted_at=None).exists()
