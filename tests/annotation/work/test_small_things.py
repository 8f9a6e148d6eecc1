"""Around the items: an undone answer, what is left, other work, keys, an ended session."""

from datetime import timedelta
from types import SimpleNamespace
from unittest import mock

import pytest
from django.contrib.humanize.templatetags import humanize
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from annotation.models import Project, Slot
from annotation.work import waiting
from annotation.work.contract import Tally
from tests.annotation import make
from tests.annotation.pages import HTMX, client_of, page, undone


@pytest.fixture(autouse=True)
def work(project):
    make.candidates(project, [("One sees two.", "Two sees one."), ("A sees b.", "B sees a.")])
    return make.pairs(project, 3)


def send(client, address, **sent):
    item = client.get(address).context["item"].id
    return client.post(address, {"item": item} | sent, headers=HTMX)


def undo(client, project, kind, reply):
    sent = {"item": reply.context["item"].id, "left": reply.context["left"] or ""}
    return client.post(page("undo", project, kind), sent, headers=HTMX)


@pytest.mark.parametrize(
    ("ago", "language", "words"),
    [
        (timedelta(milliseconds=1), "en", ">now<"),
        (timedelta(seconds=90), "en", ">a minute ago<"),
        (timedelta(days=2, minutes=1), "de", ">2\xa0Tage her<"),
    ],
)
def test_the_time_of_an_answer_is_never_0_minutes_ago(
    client, project, judge_page, monkeypatch, ago, language, words
):
    send(client, judge_page, label=0)
    submitted = Slot.objects.exclude(submitted_at=None).get().submitted_at
    now = SimpleNamespace(now=lambda _zone: submitted + ago)
    monkeypatch.setattr(humanize, "datetime", now)
    client.cookies["django_language"] = language
    assert words in client.get(page("recent", project, "judge")).text


def test_an_undone_answer_is_shown_on_its_item_until_another_one_is_given(
    client, project, judge_page, correct_page
):
    reopened = undo(client, project, "judge", send(client, judge_page, label=0))
    for reply in (reopened, client.get(judge_page)):
        assert 'value="0" class="former"' in reply.text
        assert reply.text.count("your last answer") == 1
    assert "your last answer" not in send(client, judge_page, label=1).text
    reopened = undo(client, project, "correct", send(client, correct_page, action="reject"))
    assert 'value="reject" class="former"' in reopened.text
    fixed = send(client, correct_page, action="fix", text="Two saw one.")
    reopened = undo(client, project, "correct", fixed)
    assert '<summary class="former"' in reopened.text
    assert "Two saw one.</textarea>" in reopened.text


def test_what_is_left_is_counted_with_the_page_and_counts_down_without_a_statement(
    client, project, judge_page
):
    opened = client.get(judge_page)
    assert "3 left" in opened.text
    sent = {"item": opened.context["item"].id, "label": 1}
    with CaptureQueriesContext(connection) as without:
        client.post(judge_page, sent, headers=HTMX)
    with CaptureQueriesContext(connection) as with_it:
        again = client.post(judge_page, sent | {"left": "3"}, headers=HTMX)
    assert "2 left" in again.text
    assert len(with_it) <= len(without)
    refused = client.post(judge_page, sent | {"label": 0, "left": "2"}, headers=HTMX)
    assert refused.status_code == 409
    assert "2 left" in refused.text
    assert "3 left" in undo(client, project, "judge", again).text
    polled = client.get(page("notices", project), {"kind": "judge"}, headers=HTMX)
    assert 'hx-swap-oob="true"' in polled.text
    assert "3 left" in polled.text
    for wrong in ("", "x", "-1", "9" * 30, "0", "121"):
        with undone():
            assert "left</" not in send(client, judge_page, label=1, left=wrong).text, wrong


def test_without_scripts_the_next_page_counts_nothing(client, judge_page):
    opened = client.get(judge_page)
    sent = {"item": opened.context["item"].id, "label": 1, "left": opened.context["left"]}
    with mock.patch.object(waiting, "items_for", side_effect=AssertionError("counted")):
        assert "2 left" in client.post(judge_page, sent, follow=True).text


def test_who_has_finished_one_kind_of_work_is_offered_the_other(
    client, alice, project, judge_page, correct_page
):
    make.judge_all(alice, 1)
    reply = client.get(judge_page)
    assert "There is other work for you in this project" in reply.text
    assert correct_page in reply.text
    assert "2 waiting" in reply.text
    Project.objects.update(is_open=False)
    assert correct_page not in client.get(judge_page).text


def test_ten_paws_are_filled_until_the_next_answer():
    assert [Tally(n, n).paws for n in (0, 1, 9, 10, 11, 20, 21)] == [0, 1, 9, 10, 1, 10, 1]


def test_keys_are_kept_with_the_account_shown_on_the_buttons_and_never_used_twice(
    client, alice, judge_page, correct_page
):
    keys = "/keys/"
    assert client.post(keys, {"same": "J", "different": "k", "accept": "j"}).status_code == 302
    assert User.objects.get(pk=alice.user_id).shortcuts == {
        "same": "j",
        "different": "k",
        "accept": "j",
    }
    text = client.get(judge_page).text
    assert 'data-key="j"><kbd>J</kbd> Same meaning' in text
    assert 'data-key="j"><kbd>J</kbd> Accept' in client.get(correct_page).text
    for sent, said in (
        ({"same": "s"}, "already the key for “First answer”"),
        ({"fix": "x"}, "already the key for"),
        ({"undo": "3"}, "Digits are the keys of the labels"),
        ({"undo": "é"}, "letter from A to Z"),
    ):
        reply = client.post(keys, sent)
        assert (reply.status_code, said in reply.text) == (422, True), sent
    assert client.post(keys, {"same": "x", "reset": "1"}).status_code == 302
    assert User.objects.get(pk=alice.user_id).shortcuts == {}


def test_colours_are_kept_with_the_account(client, judge_page):
    sent = {"theme": "dark", "next": judge_page}
    assert client.post("/accounts/theme/", sent).url == judge_page
    assert 'data-theme="dark"' in client.get(judge_page).text
    evil = {"theme": "", "next": "https://evil.example/"}
    assert client.post("/accounts/theme/", evil).url == "/"
    assert "data-theme" not in client.get(judge_page).text
    assert client.post("/accounts/theme/", {"theme": "pink"}).status_code == 404


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("cookie", [True, False])
def test_who_was_signed_out_while_answering_is_told_so_and_comes_back_to_the_item(
    client, alice, project, judge_page, scripts, cookie
):
    item = client.get(judge_page).context["item"]
    client.session.flush()
    if not cookie:
        client.cookies.clear()
    here = f"http://testserver{judge_page}"
    headers = HTMX | {"HX-Current-URL": here} if scripts else {"Referer": here}
    for address in (judge_page, page("undo", project, "judge")):
        reply = client.post(address, {"item": item.id, "label": 1}, headers=headers)
        sign_in = reply.headers.get("HX-Redirect") or reply.url
        assert sign_in == f"/accounts/login/?next={judge_page}&expired=1&lost=1"
    text = client.get(sign_in).text
    assert "You were signed out. Sign in to go on." in text
    assert "Your last answer was not saved; please give it again." in text
    alice.user.set_password("Quince-Harbour-72")
    alice.user.save()
    sent = {"login": alice.user.username, "password": "Quince-Harbour-72", "next": judge_page}
    back = client.post("/accounts/login/", sent, follow=True)
    assert back.redirect_chain[-1][0] == judge_page
    assert back.context["item"] == item


def test_who_was_signed_out_while_filling_in_a_form_is_told_that_nothing_was_saved(client, project):
    client.session.flush()
    here = page("invitations", project)
    headers = {"Referer": f"http://testserver{here}"}
    reply = client.post(page("invite", project), {"note": "Course"}, headers=headers)
    assert reply.url == f"/accounts/login/?next={here}%23again&expired=1&unsaved=1"
    assert "Nothing was saved. Once you are signed in, check the form" in client.get(reply.url).text


def test_a_page_that_answers_a_form_leads_back_to_the_page_of_the_form(project):
    manager, here = client_of(project), page("invitations", project)
    headers = {"Referer": f"http://testserver{here}"}
    reply = manager.post(page("invite", project), {}, headers=headers)
    assert reply.status_code == 422
    assert reply.text.count(f'name="next" value="{here}"') == 2


def test_a_page_that_is_not_there_has_the_frame_of_the_others(project):
    reply = client_of(project).get("/nowhere/")
    assert reply.status_code == 404
    assert 'class="framed' in reply.text
    assert reply.text.count("Page not found") == 1


def test_an_address_that_only_takes_forms_leads_a_browser_to_the_page_above(project):
    manager, headers = client_of(project), {"Accept": "text/html,*/*"}
    reply = manager.get(page("change_pairs", project), headers=headers)
    assert reply.url == page("pairs", project)
    assert manager.get("/accounts/theme/", headers=headers).url == "/"


def test_a_part_of_a_page_that_comes_too_late_loses_no_answer(client, project):
    client.session.flush()
    reply = client.get(page("notices", project), headers=HTMX)
    assert reply.headers["HX-Redirect"].endswith("?next=/&expired=1")


def test_ones_corrections_are_listed_for_oneself_and_for_managers(
    client, alice, project, correct_page
):
    send(client, correct_page, action="fix", text="Two saw one.")
    recent = page("recent", project, "correct")
    assert recent in client.get(page("me", project)).text
    assert "Two saw one." in client.get(recent).text
    shown = client_of(project).get(page("person", project, alice.user.public_id))
    [line] = shown.context["written"]
    assert [piece.text for piece in line.sentences[1] if piece.differs] == ["saw"]
    assert "Latest corrections" in shown.text
