"""Correcting over HTTP: accept, fix or reject, and what becomes of a text that cannot be stored."""

import pytest
from django.urls import reverse

from annotation.models import Correction, Judgment
from tests.annotation import cast
from tests.annotation.views.pages import HTMX

TEXTS = [("One sees two.", "Two sees one."), ("Three sees four.", "Four sees three.")]


@pytest.fixture
def undo(project):
    return reverse("undo_correction", args=[project.public_id])


@pytest.fixture(autouse=True)
def work(project):
    return cast.candidates(project, TEXTS)


def shown(client, page):
    return client.get(page).context["item"]


@pytest.mark.parametrize(
    ("action", "text", "stored"),
    [
        ("accept", "Two sees one.", ("accept", "")),
        ("fix", "Two see one.", ("fix", "Two see one.")),
        ("reject", "Two sees one.", ("reject", "")),
    ],
)
def test_each_action_is_stored_and_brings_the_next_sentence(
    client, correct_page, action, text, stored
):
    answer = {"item": shown(client, correct_page).id, "action": action, "text": text}
    reply = client.post(correct_page, answer | {"seconds": "3.5"}, headers=HTMX)
    row = Correction.objects.exclude(action=None).get()
    assert (row.action, row.text) == stored
    assert row.seconds == 3.5
    assert reply.context["item"].sentences == ("Four sees three.",)


def test_a_fix_that_changes_nothing_is_an_accept_and_the_page_says_so(client, correct_page):
    answer = {"item": shown(client, correct_page).id, "action": "fix", "text": "Two sees one. "}
    reply = client.post(correct_page, answer, headers=HTMX)
    assert Correction.objects.exclude(action=None).get().action == "accept"
    assert "Saved: accepted, since nothing was changed" in reply.text


def test_line_breaks_of_the_text_area_become_spaces(client, correct_page):
    answer = {"item": shown(client, correct_page).id, "action": "fix", "text": "Two\r\nsee one."}
    client.post(correct_page, answer, headers=HTMX)
    assert Correction.objects.exclude(action=None).get().text == "Two see one."


@pytest.mark.parametrize("text", ["", "   ", "Two \x07 one."])
def test_a_refused_text_stays_in_the_open_editor(client, correct_page, text):
    item = shown(client, correct_page)
    answer = {"item": item.id, "action": "fix", "text": text}
    reply = client.post(correct_page, answer, headers=HTMX)
    assert reply.status_code == 422
    assert reply.context["item"] == item
    assert reply.context["outcome"].notice
    assert '<details class="fix" open>' in reply.text
    assert reply.context["draft"] == text


def test_a_fix_that_came_too_late_is_given_back_beside_the_next_sentence(client, correct_page):
    item = shown(client, correct_page).id
    Correction.objects.filter(public_id=item).delete()
    answer = {"item": item, "action": "fix", "text": "My careful work."}
    reply = client.post(correct_page, answer, headers=HTMX)
    assert reply.status_code == 409
    assert "You had written:" in reply.text
    assert "My careful work." in reply.text
    assert '<details class="fix">' in reply.text


def test_without_scripts_an_answer_leads_back_to_the_page(client, correct_page):
    answer = {"item": shown(client, correct_page).id, "action": "accept", "text": ""}
    reply = client.post(correct_page, answer)
    assert (reply.status_code, reply.url) == (302, correct_page)


def test_without_scripts_a_refusal_is_a_whole_page(client, correct_page):
    answer = {"item": shown(client, correct_page).id, "action": "dance"}
    reply = client.post(correct_page, answer)
    assert reply.status_code == 422
    assert "<!DOCTYPE html>" in reply.text
    assert "Accept, fix or reject the sentence." in reply.text


def test_undo_opens_the_last_sentence_again(client, correct_page, undo):
    item = shown(client, correct_page).id
    answer = {"item": item, "action": "accept"}
    following = client.post(correct_page, answer, headers=HTMX).context["item"]
    reply = client.post(undo, {"item": following.id}, headers=HTMX)
    assert reply.context["item"].id == item
    assert not Judgment.objects.exists()


def test_an_accepted_sentence_that_somebody_judges_cannot_be_undone(
    client, project, correct_page, undo
):
    answer = {"item": shown(client, correct_page).id, "action": "accept"}
    following = client.post(correct_page, answer, headers=HTMX).context["item"]
    cast.judge_all(cast.person(project), 1)
    reply = client.post(undo, {"item": following.id}, headers=HTMX)
    assert reply.status_code == 409
    assert Correction.objects.exclude(action=None).count() == 1


def test_a_part_is_at_most_4_kb(client, correct_page):
    answer = {"item": shown(client, correct_page).id, "action": "accept"}
    assert len(client.post(correct_page, answer, headers=HTMX).content) <= 4096
