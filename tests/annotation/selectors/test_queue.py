"""What waits for a person is what they would be given, and no more."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Correction, Judgment, Skip
from annotation.selectors import queue
from annotation.selectors.queue import WhyNone
from annotation.services import corrections, judgments
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return cast.study()


def test_a_pair_waits_once_however_many_of_its_slots_are_free(project):
    cast.pairs(project, 2)
    assert queue.pairs_for(cast.person(project)) == 2


def test_what_the_person_has_judged_does_not_wait(project):
    cast.pairs(project, 2)
    alice = cast.person(project)
    cast.judge_all(alice, 1)
    assert queue.pairs_for(alice) == 0


def test_what_the_person_has_corrected_does_not_wait_to_be_judged(project):
    cast.candidates(project, [("One sees two.", "Two sees one.")])
    alice = cast.person(project)
    cast.correct_next(alice)
    assert queue.pairs_for(alice) == 0
    assert queue.pairs_for(cast.person(project)) == 1


def test_the_item_in_hand_still_waits_for_its_holder_alone(project):
    cast.candidates(project, [("One sees two.", "Two sees one.")])
    alice, bob = cast.person(project), cast.person(project)
    corrections.claim(alice)
    assert (queue.corrections_for(alice), queue.corrections_for(bob)) == (1, 0)


def test_an_item_whose_lease_ended_waits_for_everybody(project):
    cast.pairs(project, 1)
    for _ in range(5):
        judgments.claim(cast.person(project))
    bob = cast.person(project)
    assert queue.pairs_for(bob) == 0
    Judgment.objects.update(lease_until=timezone.now() - timedelta(minutes=1))
    assert queue.pairs_for(bob) == 1


def test_counting_stops_beyond_the_limit(project, monkeypatch):
    monkeypatch.setattr(queue, "LIMIT", 3)
    cast.pairs(project, 9)
    assert queue.pairs_for(cast.person(project)) == 4


def test_nothing_waits_in_a_closed_project(project):
    cast.pairs(project, 1)
    project.is_open = False
    project.save()
    assert queue.pairs_for(cast.person(project)) == 0


def test_other_projects_do_not_count(project):
    cast.pairs(cast.study(), 2)
    assert queue.pairs_for(cast.person(project)) == 0


def test_what_came_back_behind_a_person_waits_for_them(project):
    cast.pairs(project, 1)
    for _ in range(5):
        judgments.claim(cast.person(project))
    cast.pairs(project, 1)
    bob = cast.person(project)
    cast.judge_next(bob)
    assert queue.pairs_for(bob) == 0
    Judgment.objects.filter(label=None).update(lease_until=timezone.now() - timedelta(minutes=1))
    assert queue.pairs_for(bob) == 1


def test_no_more_waits_than_the_person_may_still_give():
    project = cast.study(most_judgments=3, most_corrections=1)
    cast.pairs(project, 5)
    cast.candidates(project, [("One sees two.", "Two sees one."), ("A sees B.", "B sees A.")])
    alice = cast.person(project)
    cast.judge_next(alice)
    assert (queue.pairs_for(alice), queue.corrections_for(alice)) == (2, 1)


def test_a_candidate_that_was_passed_over_waits_where_it_comes_back_and_only_there(project):
    cast.candidates(project, [("One sees two.", "Two sees one.")])
    alice = cast.person(project)
    correction = Correction.objects.get()
    Skip.objects.create(
        project=project, annotator=alice.user, correction=correction, reason=Skip.Reason.OTHER
    )
    assert queue.corrections_for(alice) == 0
    project.skipping = project.Skipping.LATER
    project.save()
    assert queue.corrections_for(alice) == 1


def closed(project, _member):
    project.is_open = False


def paused(_project, member):
    member.paused_at = timezone.now()


def not_qualified(project, _member):
    project.asks_qualification = True


def at_the_limit(project, _member):
    project.most_judgments = project.most_corrections = 0


def out_of_work(_project, _member):
    pass


@pytest.mark.parametrize("correcting", [False, True])
@pytest.mark.parametrize(
    ("happened", "why"),
    [
        (closed, WhyNone.CLOSED),
        (paused, WhyNone.PAUSED),
        (not_qualified, WhyNone.NOT_ADMITTED),
        (at_the_limit, WhyNone.LIMIT),
        (out_of_work, WhyNone.NOTHING),
    ],
)
def test_who_is_given_nothing_is_told_why(project, happened, why, correcting):
    alice = cast.person(project)
    happened(alice.project, alice)
    assert queue.why_none(alice, correcting=correcting) == why


@pytest.mark.parametrize("pairs", [2, 40])
def test_counting_takes_the_same_statements_in_a_project_of_any_size(
    project, pairs, django_assert_num_queries
):
    cast.pairs(project, pairs)
    alice = cast.person(project)
    for _ in range(pairs // 2):
        cast.judge_next(alice)
    with django_assert_num_queries(6):
        assert queue.pairs_for(alice) == pairs // 2
