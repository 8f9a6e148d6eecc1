"""Reviews: who is looked at, what is recorded, and what follows from it."""

from datetime import timedelta
from itertools import count
from random import Random

import pytest
from django.utils import timezone

from annotation.errors import Refused
from annotation.models import Intervention, Membership, Project
from annotation.selectors import answers, standing
from annotation.services import quality, simulation
from annotation.services.simulation import AlwaysSame, RandomClicker
from generation.models import Method
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db
Kind = Intervention.Kind


def disputed(project, *, number=12, mallory=None):
    """Pairs, of which two others say one thing and Mallory another; none is decided."""
    mallory = mallory or cast.person(project)
    others = judged.people(project, 2)
    judged.pairs(project, [[0, 0, 1]] * number, by=[*others, mallory], at=timezone.now())
    return mallory


@pytest.fixture
def project():
    return cast.study(judgments_per_pair=20)


@pytest.fixture
def mallory(project):
    return disputed(project)


@pytest.fixture
def manager(project):
    return cast.person(project, role="manager").user


def flags(member):
    return {flag.evidence["flag"] for flag in standing.of_member(member).flags}


def test_a_flag_is_recorded_once_with_its_words_and_figures(project, mallory):
    [flag] = [each for each in quality.review(project) if each.evidence["flag"] == "disagrees"]
    assert (flag.membership, flag.kind, flag.by) == (mallory, Kind.FLAG, None)
    assert flag.reason.startswith("0 of the last 12 answers are those of most others")
    assert (flag.evidence["answers"], flag.evidence["agreeing"]) == (12, 0)
    assert flag.evidence["ratio"] > 6
    assert quality.review(project) == []
    disputed(project, mallory=mallory)
    assert quality.review(project) == []


def test_answers_from_before_a_manager_dismissed_a_flag_are_not_looked_at_again(
    project, mallory, manager, monkeypatch
):
    look = answers.recent

    def dismissed_meanwhile(member, **options):
        found = look(member, **options)
        if member == mallory:
            Intervention.objects.create(membership=mallory, kind=Kind.RESUME, reason="Go on.")
        return found

    with monkeypatch.context() as patch:
        patch.setattr(answers, "recent", dismissed_meanwhile)
        assert quality.review(project) == []
    disputed(project, mallory=mallory)
    assert quality.review(project)
    quality.dismiss(mallory, by=manager, reason="You are new here.")
    later = timezone.now() + timedelta(minutes=10)  # Mallory's answers above come a little later
    Intervention.objects.filter(kind=Kind.RESUME).update(created_at=later)
    assert (flags(mallory), quality.review(project)) == (set(), [])


def test_a_project_chooses_what_follows_from_a_flag(subtests):
    for on_flag, follows in (
        (Project.OnFlag.SHOW, []),
        (Project.OnFlag.WARN, [Kind.WARN] * 2),
        (Project.OnFlag.PAUSE, [Kind.PAUSE]),
    ):
        with subtests.test(on_flag=on_flag):
            project = cast.study(judgments_per_pair=20, on_flag=on_flag)
            mallory = disputed(project)
            new = quality.review(project)
            steps = mallory.interventions.exclude(kind=Kind.FLAG)
            assert [step.kind for step in steps] == follows
            assert {step.reason for step in steps} <= {flag.reason for flag in new}
            mallory.refresh_from_db()
            assert (mallory.paused_at is not None) == (on_flag == Project.OnFlag.PAUSE)


def test_dismissing_the_flags_of_someone_who_is_paused_resumes_them(manager, project):
    project.on_flag = Project.OnFlag.PAUSE
    project.save()
    mallory = disputed(project)
    quality.review(project)
    mallory.refresh_from_db()
    quality.dismiss(mallory, by=manager, reason="It was a misunderstanding.")
    mallory.refresh_from_db()
    assert (mallory.paused_at, mallory.interventions.last().kind) == (None, Kind.RESUME)
    assert flags(mallory) == set()


def test_without_a_flag_or_a_reason_nothing_is_dismissed(project, mallory, manager):
    with pytest.raises(Refused, match="flag"):
        quality.dismiss(mallory, by=manager, reason="Go on.")
    quality.review(project)
    with pytest.raises(Refused, match="why"):
        quality.dismiss(mallory, by=manager, reason=" ")


def test_labels_of_people_who_are_flagged_are_no_measure_for_others(project):
    people = judged.people(project, 5)
    judged.pairs(project, [[1, 1, 1, 0, 0]] * 12, by=people)
    for person in people[:3]:
        evidence = {"flag": "fast"}
        Intervention.objects.create(
            membership=person, kind=Kind.FLAG, reason="-", evidence=evidence
        )
    assert {flag.membership for flag in quality.review(project)} <= set(people[:3])


def test_the_shortest_time_is_a_setting_of_the_project(project, mallory):
    project.floor_seconds = 20.0
    project.save()
    quality.review(project)
    assert "fast" in flags(mallory)


def test_only_people_at_work_in_open_projects_who_answered_lately_are_looked_at(
    project, mallory, django_assert_num_queries
):
    with django_assert_num_queries(1):
        assert quality.review_all(since=timezone.now() + timedelta(hours=1)) == []
    Project.objects.update(is_open=False)
    assert quality.review(project) == []
    Project.objects.update(is_open=True)
    Membership.objects.update(paused_at=timezone.now())
    assert quality.review(project) == []
    Membership.objects.update(paused_at=None)
    assert quality.review_all(since=timezone.now() - timedelta(minutes=1))


def test_the_last_answers_of_a_person_are_read_beside_those_of_others_that_count(
    monkeypatch, django_assert_num_queries
):
    project = cast.study(protocol="parade", judgments_per_pair=4)
    alice, bob, carol = judged.people(project, 3)
    judged.pairs(project, [[0, 2, 0]], by=[alice, bob, carol])
    judged.pairs(project, [[3, 2, 0], [1, 0, 3]], by=[alice, bob, carol], at=timezone.now())
    step = Intervention.objects.create(membership=carol, kind=Kind.HOLD_OUT, reason="-")
    carol.user.judgments.update(held_out=step)
    monkeypatch.setattr(answers, "RECENT", 2)
    with django_assert_num_queries(2):
        found = answers.recent(alice)
    assert [(each.label, each.others) for each in found.answers] == [(1, (1,)), (0, (0,))]
    assert found.usual_seconds == 11.0
    assert answers.recent(alice, without={bob.user_id}).usual_seconds is None


def test_a_random_clicker_and_one_who_always_says_same_are_paused_within_thirty_answers():
    """Beside ten who are right in 90 to 95 % of their answers, of whom none is flagged."""
    project = cast.study(corrected_methods=["imported"], on_flag=Project.OnFlag.PAUSE)
    for method in (Method.WORD_SWAP, Method.BACK_TRANSLATION):
        texts = [(f"Source {method} {n}.", f"Rewrite {method} {n}.") for n in range(40)]
        cast.candidates(project, texts, method=method)
    careless = {"random": 1, "same": 1}
    crowd = simulation.crowd(project, size=10, accuracy=1.0, seed=2, careless=careless)
    drawn, number = Random(2), count(1)
    for person in crowd:
        person.accuracy = drawn.uniform(0.9, 0.95)
    flagged = {}
    while (given := next(number)) <= 30:
        for person in crowd:
            person.judge()
        for flag in quality.review(project):
            flagged.setdefault(flag.membership_id, given)
    bad = {each.membership.pk for each in crowd if type(each) in (RandomClicker, AlwaysSame)}
    assert set(flagged) == bad
    paused = Membership.objects.filter(project=project, paused_at__isnull=False)
    assert set(paused.values_list("pk", flat=True)) == bad
    assert Intervention.objects.filter(kind=Kind.PAUSE, by=None).count() == 2
