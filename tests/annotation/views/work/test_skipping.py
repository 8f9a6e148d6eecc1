"""Skipping over HTTP: an item is passed over for a reason, and the reply brings the next."""

import pytest
from django.urls import reverse

from annotation.models import Judgment, Project, Skip
from tests.annotation import cast
from tests.annotation.views.pages import HTMX

TEXTS = [("One sees two.", "Two sees one."), ("Three sees four.", "Four sees three.")]


@pytest.fixture(params=["judge", "correct"])
def task(request) -> str:
    """Everything here is so for both sorts of work."""
    return request.param


@pytest.fixture(autouse=True)
def work(project):
    cast.candidates(project, TEXTS)
    cast.pairs(project, 2)


@pytest.fixture
def page(project, task):
    return reverse(task, args=[project.public_id])


@pytest.fixture
def skip(project, task):
    name = {"judge": "skip_judgment", "correct": "skip_correction"}[task]
    return reverse(name, args=[project.public_id])


def forbid(project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(skipping=Project.Skipping.FORBIDDEN)


def test_a_reason_is_kept_and_the_next_item_comes(client, alice, page, skip):
    item = client.get(page).context["item"].id
    reply = client.post(skip, {"item": item, "reason": "unclear", "note": ""}, headers=HTMX)
    assert reply.text.startswith('<section id="work"')
    assert reply.context["item"].id != item
    assert "Saved: skipped" in reply.text
    stored = Skip.objects.get()
    assert (stored.annotator, stored.reason, stored.note) == (alice.user, "unclear", "")
    assert not Judgment.objects.exclude(label=None).exists()


def test_a_note_is_kept(client, page, skip):
    item = client.get(page).context["item"].id
    client.post(skip, {"item": item, "reason": "other", "note": "It is a poem."}, headers=HTMX)
    assert Skip.objects.get().note == "It is a poem."


def test_a_skip_that_is_sent_again_is_one_skip(client, page, skip):
    answer = {"item": client.get(page).context["item"].id, "reason": "unclear"}
    replies = [client.post(skip, answer, headers=HTMX) for _ in range(2)]
    assert [reply.status_code for reply in replies] == [200, 200]
    assert replies[0].context["item"] == replies[1].context["item"]
    assert Skip.objects.count() == 1


@pytest.mark.parametrize(
    "broken", [{"reason": ""}, {"reason": "boredom"}, {"item": "x"}, {"note": "x" * 501}], ids=str
)
def test_a_broken_skip_is_refused_and_the_item_stays(client, page, skip, broken):
    item = client.get(page).context["item"]
    reply = client.post(skip, {"item": item.id, "reason": "unclear"} | broken, headers=HTMX)
    assert reply.status_code == 422
    assert reply.context["item"] == item
    assert not Skip.objects.exists()


def test_where_skipping_is_forbidden_nothing_offers_it_and_nothing_takes_it(
    client, project, page, skip
):
    forbid(project)
    reply = client.get(page)
    item = reply.context["item"].id
    assert "skip/" not in reply.text
    assert client.get(skip).status_code == 404
    refused = client.post(skip, {"item": item, "reason": "unclear"}, headers=HTMX)
    assert refused.status_code == 422
    assert not Skip.objects.exists()


def test_without_scripts_the_reasons_are_a_page_of_their_own(client, page, skip):
    item = client.get(page).context["item"].id
    assert f'value="{item}"' in client.get(skip).text
    reply = client.post(skip, {"item": item, "reason": "broken"})
    assert (reply.status_code, reply.url) == (302, page)
    assert Skip.objects.get().reason == "broken"


def test_without_an_item_there_is_nothing_to_skip(client, project, page, skip):
    Project.objects.filter(pk=project.pk).update(is_open=False)
    reply = client.get(skip)
    assert (reply.status_code, reply.url) == (302, page)


def test_who_has_no_place_in_the_project_finds_no_such_page(client, alice, skip):
    alice.delete()
    assert client.get(skip).status_code == 404
