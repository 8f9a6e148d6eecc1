"""What waits for a person is what they would be given, and no more."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.models import Judgment
from annotation.selectors import queue
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
