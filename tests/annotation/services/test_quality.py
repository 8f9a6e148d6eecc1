"""Reviews: who is looked at, what is recorded, and what follows from it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.errors import Refused
from annotation.models import Intervention, Judgment, Membership, Project
from annotation.selectors import answers, standing
from annotation.services import interventions, quality
from tests.annotation import cast

pytestmark = pytest.mark.django_db

Kind = Intervention.Kind


@pytest.fixture
def project():
    """With so many judges a pair that none is decided here."""
    return cast.study(judgments_per_pair=20)


def judged(project, pairs=12, *, of_others=0, seconds=20.0):
    """Two others who give one label to so many new pairs, and Mallory, who gives the other."""
    cast.pairs(project, pairs)
    people = [cast.person(project) for _ in range(3)]
    for person in people[:2]:
        cast.judge_all(person, of_others)
    cast.judge_all(people[2], 1 - of_others)
    Judgment.objects.filter(project=project).update(seconds=seconds)
    return people[2]


def more(project, member, pairs=12):
    """Further pairs that two new people answer otherwise than the member."""
    cast.pairs(project, pairs)
    for _ in range(2):
        cast.judge_all(cast.person(project), 0)
    cast.judge_all(member, 1)
    Judgment.objects.filter(project=project).update(seconds=20.0)


def flags(member):
    return {flag.evidence["flag"] for flag in standing.of_member(member).flags}


def steps(member):
    return list(member.interventions.order_by("pk").values_list("kind", flat=True))


def test_a_flag_is_recorded_with_its_words_and_figures(project):
    mallory = judged(project)
    new = quality.review(project)
    assert {flag.membership for flag in new} == {mallory}
    flag = next(each for each in new if each.evidence["flag"] == "disagrees")
    assert (flag.kind, flag.by) == (Kind.FLAG, None)
    assert flag.reason.startswith("0 of the last 12 answers are those of most others")
    assert (flag.evidence["answers"], flag.evidence["agreeing"]) == (12, 0)
    assert flag.evidence["ratio"] > 6


def test_a_flag_in_force_is_not_recorded_again(project):
    mallory = judged(project)
    assert quality.review(project)
    assert quality.review(project) == []
    more(project, mallory)
    assert quality.review(project) == []


def test_answers_before_a_manager_let_the_person_go_on_are_looked_at_no_more(project):
    mallory, manager = judged(project), cast.person(project, role="manager")
    quality.review(project)
    quality.dismiss(mallory, by=manager.user, reason="You are new here.")
    assert (flags(mallory), quality.review(project)) == (set(), [])
    more(project, mallory)
    assert quality.review(project)


def test_a_dismissal_that_comes_while_a_review_counts_is_heard(project, monkeypatch):
    mallory, manager = judged(project), cast.person(project, role="manager")
    quality.review(project)
    quality.dismiss(mallory, by=manager.user, reason="You are new here.")
    more(project, mallory)
    look = answers.recent

    def and_then_a_manager_decides(member, **options):
        found = look(member, **options)
        if member == mallory:
            Intervention.objects.create(membership=mallory, kind=Kind.RESUME, reason="Go on.")
        return found

    monkeypatch.setattr(answers, "recent", and_then_a_manager_decides)
    assert quality.review(project) == []


def test_by_default_managers_see_it_and_nothing_else_happens(project):
    mallory = judged(project)
    quality.review(project)
    mallory.refresh_from_db()
    assert set(steps(mallory)) == {Kind.FLAG}
    assert mallory.paused_at is None


def test_a_project_may_warn_as_well():
    project = cast.study(on_flag=Project.OnFlag.WARN)
    mallory = judged(project)
    quality.review(project)
    assert {*steps(mallory)} == {Kind.FLAG, Kind.WARN}
    flag, warning = mallory.interventions.order_by("kind").values_list("reason")[:2]
    assert set(flag) | set(warning) <= {step.reason for step in mallory.interventions.all()}


def test_a_project_may_pause_as_well_and_does_so_once():
    project = cast.study(on_flag=Project.OnFlag.PAUSE)
    mallory = judged(project)
    assert len(quality.review(project)) == 2
    assert steps(mallory).count(Kind.PAUSE) == 1
    mallory.refresh_from_db()
    assert mallory.paused_at is not None


def test_whoever_is_resumed_starts_afresh():
    project = cast.study(on_flag=Project.OnFlag.PAUSE)
    mallory, manager = judged(project), cast.person(project, role="manager")
    quality.review(project)
    mallory.refresh_from_db()
    interventions.resume(mallory, by=manager.user, reason="Read the guidelines again, please.")
    assert (flags(mallory), quality.review(project)) == (set(), [])


def test_to_dismiss_resumes_whoever_is_paused():
    project = cast.study(on_flag=Project.OnFlag.PAUSE)
    mallory, manager = judged(project), cast.person(project, role="manager")
    quality.review(project)
    mallory.refresh_from_db()
    quality.dismiss(mallory, by=manager.user, reason="It was a misunderstanding.")
    mallory.refresh_from_db()
    assert (mallory.paused_at, steps(mallory)[-1]) == (None, Kind.RESUME)


def test_without_a_flag_or_a_reason_nothing_is_dismissed(project):
    mallory, manager = judged(project), cast.person(project, role="manager")
    with pytest.raises(Refused, match="flag"):
        quality.dismiss(mallory, by=manager.user, reason="Go on.")
    quality.review(project)
    with pytest.raises(Refused, match="why"):
        quality.dismiss(mallory, by=manager.user, reason=" ")


def test_labels_of_whoever_is_flagged_are_no_measure_for_others(project):
    """Three who were flagged say another label than two who were not."""
    cast.pairs(project, 12)
    people = [cast.person(project) for _ in range(5)]
    for person, label in zip(people, (1, 1, 1, 0, 0), strict=True):
        cast.judge_all(person, label)
    for person in people[:3]:
        Intervention.objects.create(
            membership=person, kind=Kind.FLAG, reason="-", evidence={"flag": "fast"}
        )
    assert {flag.membership for flag in quality.review(project)} <= set(people[:3])


def test_the_floor_is_the_projects():
    project = cast.study(floor_seconds=5.0)
    mallory = judged(project, seconds=4.0)
    quality.review(project)
    assert "fast" in flags(mallory)


def test_whoever_has_not_answered_since_is_not_looked_at(project):
    judged(project)
    assert quality.review_all(since=timezone.now()) == []
    assert quality.review_all(since=timezone.now() - timedelta(minutes=1))


def test_closed_projects_and_paused_people_are_not_looked_at(project):
    judged(project)
    Project.objects.update(is_open=False)
    assert quality.review(project) == []
    Project.objects.update(is_open=True)
    Membership.objects.update(paused_at=timezone.now())
    assert quality.review(project) == []


def test_the_last_two_hundred_answers_are_looked_at_and_no_others(project, monkeypatch):
    monkeypatch.setattr(answers, "RECENT", 3)
    mallory = judged(project)
    found = answers.recent(mallory)
    assert len(found.answers) == 3
    assert found.usual_seconds == 20.0


def test_where_nobody_has_answered_a_review_is_one_statement(project, django_assert_num_queries):
    judged(project)
    with django_assert_num_queries(1):
        quality.review_all(since=timezone.now())


def test_a_review_costs_the_same_in_a_large_project(project, django_assert_num_queries):
    mallory = judged(project)
    with django_assert_num_queries(2):
        answers.recent(mallory)
    more(project, mallory, pairs=30)
    with django_assert_num_queries(2):
        answers.recent(mallory)


def test_answers_come_oldest_first_as_sides_of_the_scale():
    project = cast.study(protocol="parade")
    cast.pairs(project, 2)
    alice, bob = cast.person(project), cast.person(project)
    for person, labels in ((alice, (3, 1)), (bob, (2, 0))):
        for label in labels:
            cast.judge_next(person, label)
    found = answers.recent(alice).answers
    assert [(each.label, each.others) for each in found] == [(1, (1,)), (0, (0,))]


def test_answers_held_out_are_no_others(project):
    mallory = judged(project)
    step = Intervention.objects.create(membership=mallory, kind=Kind.HOLD_OUT, reason="-")
    Judgment.objects.exclude(annotator=mallory.user).update(held_out=step)
    assert {each.others for each in answers.recent(mallory).answers} == {()}
