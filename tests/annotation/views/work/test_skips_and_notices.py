"""Around the work: items are skipped for a reason, and people are told of warnings and pauses."""

import pytest
from django.utils import timezone

from annotation.models import Judgment, Membership, Project, Skip
from annotation.services import interventions
from tests.annotation import cast
from tests.annotation.views.pages import HTMX, page, undone

SLOWLY = "Please read both sentences to their end."


@pytest.fixture(autouse=True)
def work(project):
    cast.candidates(project, [("One sees two.", "Two sees one."), ("A sees b.", "B sees a.")])
    cast.pairs(project, 3)


@pytest.fixture(params=[("judge", "skip_judgment"), ("correct", "skip_correction")])
def skipping(request, client, project):
    """Addresses of a task and of skipping in it, and the item in view."""
    address, skip = (page(name, project) for name in request.param)
    return address, skip, client.get(address).context["item"]


def test_an_item_is_skipped_once_with_reason_and_note_and_the_next_one_comes(
    client, alice, skipping
):
    address, skip, item = skipping
    assert f'value="{item.id}"' in client.get(skip).text
    sent = {"item": item.id, "reason": "other", "note": "It is a poem."}
    replies = [client.post(skip, sent, headers=HTMX) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [200, 200]
    assert replies[0].context["item"] == replies[1].context["item"]
    assert replies[0].context["item"].id != item.id
    assert "Saved: skipped" in replies[0].text
    stored = Skip.objects.get()
    assert (stored.annotator, stored.reason, stored.note) == (alice.user, "other", "It is a poem.")
    assert client.post(skip, sent).url == address


def test_a_broken_or_forbidden_skip_is_refused_and_the_item_stays(client, skipping):
    address, skip, item = skipping
    for broken in ({"reason": ""}, {"reason": "boredom"}, {"item": "x"}, {"note": "x" * 501}):
        reply = client.post(skip, {"item": item.id, "reason": "unclear"} | broken, headers=HTMX)
        assert (reply.status_code, reply.context["item"]) == (422, item), broken
    Project.objects.update(skipping=Project.Skipping.FORBIDDEN)
    assert "skip/" not in client.get(address).text
    assert client.get(skip).status_code == 404
    sent = {"item": item.id, "reason": "unclear"}
    assert client.post(skip, sent, headers=HTMX).status_code == 422
    assert not Skip.objects.exists()


@pytest.fixture
def notices(project):
    return page("notices", project)


def read(notice, **changes):
    """What the page sends when its button is pressed."""
    return {"task": "judge", "until": notice.created_at.isoformat()} | changes


def test_a_warning_stands_above_the_work_until_it_has_been_read(client, alice, judge_page, notices):
    assert SLOWLY not in client.get(notices, {"task": "judge"}, headers=HTMX).text
    warning = interventions.warn(alice, by=None, reason=SLOWLY)
    for until in ("yesterday", "2026-99-99T00:00:00Z", "2026-01-01T00:00:00"):
        client.post(notices, read(warning, until=until), headers=HTMX)
        assert SLOWLY in client.get(judge_page).text, until
    assert SLOWLY in client.get(notices, {"task": "judge"}, headers=HTMX).text
    assert SLOWLY not in client.post(notices, read(warning), headers=HTMX).text
    assert SLOWLY not in client.get(judge_page).text
    interventions.warn(alice, by=None, reason="Please use both answers.")
    assert "Please use both answers." in client.get(judge_page).text


def test_a_warning_that_was_read_leads_back_to_the_work_and_nowhere_else(
    client, project, alice, judge_page, notices
):
    interventions.warn(cast.person(project), by=None, reason=SLOWLY)
    warning = interventions.warn(alice, by=None, reason=SLOWLY)
    for task, address in (
        ("judge", judge_page),
        ("//evil.example", "/"),
        ("admin", "/"),
        ("", "/"),
    ):
        assert client.post(notices, read(warning, task=task)).url == address
    assert SLOWLY not in client.get(judge_page).text


def test_a_pause_is_told_with_its_reason_after_the_answer_that_was_under_way(
    client, alice, judge_page, correct_page
):
    sent = {"item": client.get(judge_page).context["item"].id, "label": 1}
    interventions.pause(alice, by=None, reason=SLOWLY)
    answered = client.post(judge_page, sent, headers=HTMX)
    assert answered.status_code == 200
    assert Judgment.objects.get(label=1).annotator == alice.user
    for reply in (answered, client.get(judge_page), client.get(correct_page)):
        assert reply.context["item"] is None
        assert "Your work here is paused." in reply.text
        assert SLOWLY in reply.text


def test_an_unfinished_step_leads_to_the_first_page_and_costs_no_answer(
    client, project, alice, judge_page
):
    sent = {"item": client.get(judge_page).context["item"].id, "label": 1}
    Project.objects.update(asks_qualification=True)
    welcome = page("welcome", project)
    assert client.get(judge_page).url == welcome
    assert client.get(judge_page, headers=HTMX).headers["HX-Redirect"] == welcome
    with undone():
        reply = client.post(judge_page, sent, headers=HTMX)
        assert reply.headers["HX-Redirect"] == welcome
        assert Judgment.objects.get(label=1).annotator == alice.user
    Membership.objects.filter(pk=alice.pk).update(qualified_at=timezone.now())
    assert client.get(judge_page).context["item"] is not None
