"""What a person is told about their own work: warnings, a pause, a limit, a step before work."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from annotation.models import Intervention, Judgment, Membership, Project
from annotation.services import interventions
from tests.annotation import cast
from tests.annotation.views.pages import HTMX

SLOWLY = "Please read both sentences to their end."


@pytest.fixture(autouse=True)
def work(project):
    cast.pairs(project, 3)


@pytest.fixture
def notices(project):
    return reverse("notices", args=[project.public_id])


def read(notice: Intervention, **given: str) -> dict[str, str]:
    """What the page sends when its button is pressed."""
    return {"task": "judge", "until": notice.created_at.isoformat()} | given


def answer(client, page):
    return {"item": client.get(page).context["item"].id, "label": 1}


def test_a_warning_stands_above_the_work_until_it_has_been_read(client, alice, judge_page, notices):
    warning = interventions.warn(alice, by=None, reason=SLOWLY)
    assert SLOWLY in client.get(judge_page).text
    assert SLOWLY not in client.post(notices, read(warning), headers=HTMX).text
    assert SLOWLY not in client.get(judge_page).text


def test_a_new_warning_is_shown_after_an_older_one_was_read(client, alice, judge_page, notices):
    first = interventions.warn(alice, by=None, reason=SLOWLY)
    client.post(notices, read(first), headers=HTMX)
    interventions.warn(alice, by=None, reason="Please use both answers.")
    assert "Please use both answers." in client.get(judge_page).text


def test_a_page_that_stays_open_hears_of_a_warning(client, alice, notices):
    assert SLOWLY not in client.get(notices, {"task": "judge"}, headers=HTMX).text
    interventions.warn(alice, by=None, reason=SLOWLY)
    assert SLOWLY in client.get(notices, {"task": "judge"}, headers=HTMX).text


def test_a_warning_of_long_ago_is_over(client, alice, judge_page):
    warning = interventions.warn(alice, by=None, reason=SLOWLY)
    Intervention.objects.filter(pk=warning.pk).update(
        created_at=timezone.now() - timedelta(days=100)
    )
    assert SLOWLY not in client.get(judge_page).text


def test_the_warning_of_somebody_else_is_not_shown(client, project, judge_page):
    interventions.warn(cast.person(project), by=None, reason=SLOWLY)
    assert SLOWLY not in client.get(judge_page).text


def test_without_scripts_a_warning_is_read_and_the_work_goes_on(client, alice, judge_page, notices):
    warning = interventions.warn(alice, by=None, reason=SLOWLY)
    reply = client.post(notices, read(warning))
    assert (reply.status_code, reply.url) == (302, judge_page)
    assert SLOWLY not in client.get(judge_page).text


@pytest.mark.parametrize("until", ["yesterday", "2026-99-99T00:00:00Z", "2026-01-01T00:00:00"])
def test_a_time_that_is_none_marks_nothing_as_read(client, alice, judge_page, notices, until):
    warning = interventions.warn(alice, by=None, reason=SLOWLY)
    client.post(notices, read(warning, until=until), headers=HTMX)
    assert SLOWLY in client.get(judge_page).text


@pytest.mark.parametrize("task", ["//evil.example", "admin", ""])
def test_the_way_back_leads_nowhere_else(client, alice, notices, task):
    warning = interventions.warn(alice, by=None, reason=SLOWLY)
    assert client.post(notices, read(warning, task=task)).url == "/"


def test_who_is_paused_is_told_why(client, alice, judge_page, correct_page):
    interventions.pause(alice, by=None, reason=SLOWLY)
    for page in (judge_page, correct_page):
        reply = client.get(page)
        assert reply.context["item"] is None
        assert "Your work here is paused." in reply.text
        assert SLOWLY in reply.text


def test_who_is_paused_meanwhile_may_answer_what_they_see(client, alice, judge_page):
    given = answer(client, judge_page)
    interventions.pause(alice, by=None, reason=SLOWLY)
    reply = client.post(judge_page, given, headers=HTMX)
    assert reply.status_code == 200
    assert "Your work here is paused." in reply.text
    assert Judgment.objects.get(label=1).annotator == alice.user


def test_who_has_given_as_many_answers_as_one_may_is_thanked(client, project, judge_page):
    Project.objects.filter(pk=project.pk).update(most_judgments=1)
    reply = client.post(judge_page, answer(client, judge_page), headers=HTMX)
    assert reply.context["item"] is None
    assert "You have done your share here." in reply.text


@pytest.fixture
def qualified(project, alice):
    Project.objects.filter(pk=project.pk).update(asks_qualification=True)
    Membership.objects.filter(pk=alice.pk).update(qualified_at=timezone.now())


def test_who_has_a_step_to_take_is_led_to_the_first_page(client, project, judge_page):
    Project.objects.filter(pk=project.pk).update(asks_qualification=True)
    welcome = reverse("welcome", args=[project.public_id])
    assert client.get(judge_page).url == welcome
    assert client.get(judge_page, headers=HTMX).headers["HX-Redirect"] == welcome


def test_what_was_answered_before_the_step_is_stored_first(client, project, alice, judge_page):
    given = answer(client, judge_page)
    Project.objects.filter(pk=project.pk).update(asks_qualification=True)
    reply = client.post(judge_page, given, headers=HTMX)
    assert reply.headers["HX-Redirect"] == reverse("welcome", args=[project.public_id])
    assert Judgment.objects.get(label=1).annotator == alice.user


@pytest.mark.usefixtures("qualified")
def test_who_has_taken_all_steps_works(client, judge_page):
    assert client.get(judge_page).context["item"] is not None
