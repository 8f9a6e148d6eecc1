"""Correcting over HTTP: accept, fix or reject, and what becomes of a text that cannot be stored."""

import pytest

from annotation.models import Correction
from tests.annotation import cast
from tests.annotation.views.pages import HTMX, page, undone

TEXTS = [("One sees two.", "Two sees one."), ("Three sees four.", "Four sees three.")]


@pytest.fixture(autouse=True)
def work(project):
    return cast.candidates(project, TEXTS)


@pytest.fixture
def answer(client, correct_page):
    def answer(action, text="", *, headers=HTMX, **more):
        item = client.get(correct_page).context["item"].id
        sent = {"item": item, "action": action, "text": text} | more
        return client.post(correct_page, sent, headers=headers)

    return answer


def stored():
    return Correction.objects.exclude(action=None)


def test_each_action_is_stored_and_brings_the_next_sentence(client, project, answer):
    for action, text, kept in (
        ("accept", "Two sees one.", ("accept", "")),
        ("fix", "Two\r\nsee one.", ("fix", "Two see one.")),
        ("fix", "Two sees one. ", ("accept", "")),
        ("reject", "Two sees one.", ("reject", "")),
    ):
        with undone():
            reply = answer(action, text, seconds="3.5")
            row = stored().get()
            assert (row.action, row.text, row.seconds) == (*kept, 3.5)
            assert reply.context["item"].sentences == ("Four sees three.",)
            assert len(reply.content) <= 4096
            unchanged = action == "fix" and kept[0] == "accept"
            assert ("accepted, since nothing was changed" in reply.text) == unchanged
            listed = client.get(page("recent_corrections", project), headers=HTMX).text
            assert "Two sees one." in listed
            assert ("Two see one." in listed) == (kept[0] == "fix")
            assert "One sees two." not in listed


def test_a_refused_text_stays_in_the_open_editor(client, correct_page, answer):
    item = client.get(correct_page).context["item"]
    for text in ("", "   ", "Two \x07 one."):
        reply = answer("fix", text)
        assert (reply.status_code, reply.context["item"]) == (422, item), text
        assert reply.context["outcome"].notice
        assert reply.context["draft"] == text
        assert '<details class="fix" open>' in reply.text
