"""The overview: where the project stands, in its own numbers."""

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Membership, Release
from tests.annotation import cast


@pytest.fixture
def overview(project):
    client = Client()
    client.force_login(cast.person(project, role=Membership.Role.MANAGER).user)
    return lambda: client.get(reverse("overview", args=[project.public_id]))


def steps(reply) -> dict[str, tuple[int, int]]:
    return {step.name: (step.count, step.whole) for step in reply.context["steps"]}


def test_corrections_are_counted_by_action(overview, project):
    cast.candidates(project, [(f"S{n} sees.", f"Sees s{n}.") for n in range(4)])
    bob = cast.person(project)
    cast.correct_next(bob, "accept")
    cast.correct_next(bob, "fix", "Something else.")
    cast.correct_next(bob, "reject")
    counted = steps(overview())
    assert [counted[name] for name in ("Accepted", "Fixed", "Rejected")] == [(1, 4)] * 3
    assert counted["Waiting for correction"] == (1, 4)


def test_pairs_are_counted_until_they_are_kept(overview, project):
    cast.pairs(project, 2)
    people = [cast.person(project) for _ in range(5)]
    for person in people:
        cast.judge_all(person, 1)
    counted = steps(overview())
    assert counted["Judgments given"] == (10, 10)
    assert counted["Pairs decided"] == (2, 2)
    assert counted["Pairs kept"] == (2, 2)


def test_agreement_is_that_of_the_paper(overview, project):
    cast.pairs(project, 1)
    for label in (1, 1, 1, 1, 0):
        cast.judge_all(cast.person(project), label)
    reply = overview()
    assert reply.context["agreement"]["percent"] == pytest.approx(80)
    assert "80.0 %" in reply.text


def test_an_empty_project_has_an_overview_too(overview):
    text = overview().text
    assert "No pair is decided yet: each takes 5 judgments." in text
    assert "No release has been built yet." in text


def test_everybody_is_listed_with_their_answers(overview, project):
    cast.pairs(project, 3)
    bob = cast.person(project)
    cast.judge_all(bob, 1)
    found = {
        each.user: (each.corrections, each.judgments) for each in overview().context["members"]
    }
    assert found[bob.user] == (0, 3)


def test_people_made_by_a_program_are_marked(overview, project):
    bob = cast.person(project)
    assert "simulated" not in overview().text
    bob.user.is_simulated = True
    bob.user.save()
    assert "simulated" in overview().text


@pytest.mark.parametrize(("manifest", "files"), [(None, "not written yet"), ({"n": 1}, "written")])
def test_releases_are_listed_with_the_state_of_their_files(overview, project, manifest, files):
    Release.objects.create(
        project=project, version="1.0-rc", seed=1, settings={}, facts={}, manifest=manifest
    )
    text = overview().text
    assert "1.0-rc" in text
    assert f"<td>{files}</td>" in text
