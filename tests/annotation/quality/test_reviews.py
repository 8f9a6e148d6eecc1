"""Reviews: who is looked at, what is recorded, and what follows from it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.errors import Refused
from annotation.models import Intervention, Membership, Project
from annotation.quality.selectors import answers, interventions
from annotation.quality.services import interventions as steps
from annotation.quality.services import review
from tests.annotation import judged, make

pytestmark = pytest.mark.django_db


def disputed(*, mallory=None, **settings):
    """Twelve pairs, of which two others say one thing and Mallory another; none is decided."""
    project = mallory.project if mallory else make.study(judgments_per_pair=20, **settings)
    mallory = mallory or make.person(project)
    by = [*judged.people(project, 2), mallory]
    judged.pairs(project, [[0, 0, 1]] * 12, by=by, at=timezone.now())
    return project, mallory


def boss_of(project):
    return make.person(project, role="manager").user


def flags(member):
    return {flag.evidence["flag"] for flag in interventions.of_member(member).flags}


def test_a_flag_is_recorded_once_with_its_words_and_figures():
    _, mallory = disputed()
    [flag] = [each for each in review.review_all() if each.evidence["flag"] == "disagrees"]
    assert (flag.membership, flag.kind, flag.by) == (mallory, "flag", None)
    assert flag.reason.startswith("0 of the last 12 answers match the majority of the others")
    assert (flag.evidence["answers"], flag.evidence["agreeing"]) == (12, 0)
    assert flag.evidence["ratio"] > 6
    disputed(mallory=mallory)
    assert review.review_all() == []
    Project.objects.update(floor_seconds=20.0)
    assert {flag.evidence["flag"] for flag in review.review_all()} == {"fast"}


def test_answers_from_before_a_manager_dismissed_a_flag_are_not_looked_at_again(monkeypatch):
    project, mallory = disputed()
    look = answers.recent_answers

    def dismissed_meanwhile(member, **options):
        found = look(member, **options)
        if member == mallory:
            Intervention.objects.create(membership=mallory, kind="resume", reason="Go on.")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(answers, "recent_answers", dismissed_meanwhile)
        assert review.review_all() == []
    disputed(mallory=mallory)
    boss = boss_of(project)
    with pytest.raises(Refused, match="flag"):
        steps.resume(mallory, by=boss, reason="You are new here.")
    assert review.review_all()
    with pytest.raises(Refused, match="reason"):
        steps.resume(mallory, by=boss, reason=" ")
    steps.resume(mallory, by=boss, reason="You are new here.")
    later = timezone.now() + timedelta(minutes=10)  # than Mallory's last answer
    Intervention.objects.filter(kind="resume").update(created_at=later)
    assert (flags(mallory), review.review_all()) == (set(), [])


def test_a_project_chooses_what_follows_from_a_flag(subtests):
    for on_flag, follows in (("show", []), ("warn", ["warn", "warn"]), ("pause", ["pause"])):
        with subtests.test(on_flag=on_flag):
            project, mallory = disputed(on_flag=on_flag)
            reasons = {flag.reason for flag in review.review_all()}
            taken = mallory.interventions.exclude(kind="flag")
            assert [step.kind for step in taken] == follows
            assert {step.reason for step in taken} <= reasons
            mallory.refresh_from_db()
            assert (mallory.paused_at is not None) == (on_flag == "pause")
    steps.resume(mallory, by=boss_of(project), reason="It was a misunderstanding.")
    mallory.refresh_from_db()
    assert (mallory.paused_at, flags(mallory)) == (None, set())
    assert mallory.interventions.last().kind == "resume"


@pytest.mark.parametrize("seconds", [9999.0, None])
def test_answers_right_after_their_claim_are_fast_whatever_time_is_sent(seconds):
    project = make.study(floor_seconds=3600.0)
    make.pairs(project, 12)
    mallory = make.person(project)
    while shown := make.turn(mallory).shown:
        make.turn(mallory, item=shown.id, label=1, seconds=seconds)
    assert [flag.evidence["flag"] for flag in review.review_all()] == ["fast"]


def test_labels_of_people_who_are_flagged_are_no_measure_for_others():
    project = make.study(judgments_per_pair=20)
    people = judged.people(project, 5)
    judged.pairs(project, [[1, 1, 1, 0, 0]] * 12, by=people)
    for person in people[:3]:
        step = {"kind": "flag", "reason": "-", "evidence": {"flag": "fast"}}
        Intervention.objects.create(membership=person, **step)
    assert {flag.membership for flag in review.review_all()} <= set(people[:3])


def test_only_people_at_work_in_open_projects_who_answered_lately_are_looked_at():
    disputed()
    assert review.review_all(since=timezone.now() + timedelta(hours=1)) == []
    for rows, stopped, at_work in (
        (Project.objects, {"is_open": False}, {"is_open": True}),
        (Membership.objects, {"paused_at": timezone.now()}, {"paused_at": None}),
    ):
        rows.update(**stopped)
        assert review.review_all() == []
        rows.update(**at_work)
    assert review.review_all(since=timezone.now() - timedelta(minutes=1))
