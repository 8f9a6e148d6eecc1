"""The page of one's own work: own figures, and not a word about others."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Intervention, Judgment, Membership, Project
from annotation.services import interventions
from tests.annotation import cast


@pytest.fixture
def page(project: Project) -> str:
    return reverse("me", args=[project.public_id])


def test_it_shows_what_was_done_and_how_fast(client, alice, project, page):
    cast.pairs(project, 2)
    cast.judge_all(alice, 1)
    text = client.get(page).text
    assert "<b>2</b> today" in text
    assert "median time" in text
    assert 'class="days"' in text
    assert "As a table" in text


def test_a_newcomer_is_told_what_will_be_there(client, page):
    text = client.get(page).text
    assert "Nothing yet." in text
    assert "Appears when 20 of your pairs are decided." in text


def test_work_that_is_not_theirs_is_not_there(project, page):
    client = Client()
    client.force_login(cast.person(project, may_correct=False).user)
    assert "Corrections" not in client.get(page).text


def test_the_answers_of_others_change_nothing_in_the_page(client, alice, project, page):
    cast.pairs(project, 3)
    cast.judge_all(alice, 1)
    before = without_tokens(client.get(page).text)
    for label in (1, 0, 0, 1):
        cast.judge_all(cast.person(project), label)
    assert Judgment.objects.filter(label=None).count() == 0
    assert without_tokens(client.get(page).text) == before


def test_a_pause_is_told_with_its_reason_and_never_its_evidence(client, alice, page):
    boss = cast.person(alice.project, role=Membership.Role.MANAGER)
    interventions.pause(alice, by=boss.user, reason="Too fast to read.", evidence={"canary": 7})
    Intervention.objects.create(membership=alice, kind="flag", reason="canaryflag")
    text = client.get(page).text
    assert "You have been paused since" in text
    assert "Too fast to read." in text
    assert "canary" not in text
    assert boss.user.username not in text


def test_a_stranger_finds_no_page(client):
    other = cast.study()
    assert client.get(reverse("me", args=[other.public_id])).status_code == 404


def without_tokens(text: str) -> str:
    return "".join(line for line in text.splitlines() if "csrfmiddlewaretoken" not in line)
