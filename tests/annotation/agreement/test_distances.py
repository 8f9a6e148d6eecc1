"""How far a person's answers are from the mean of the others', where labels have equal steps."""

from statistics import fmean

import pytest

from annotation.agreement import by_person
from annotation.quality.services import interventions
from annotation.stats.labels import Label, Level, Rule, Scheme
from tests.annotation import judged, make

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
# Labels from -6 to 6 in equal steps, so that a place is not a value.
VALUES = (-6, -3, 0, 3, 6)
STEPS = Scheme(
    tuple(Label(value, str(value)) for value in VALUES), Level.INTERVAL, Rule.NONE, border=3
)
ANSWERS = [(0, 4, 3, 3), (2, 2, 1, 4), (4, 4, 4, 4)]


@pytest.fixture
def people():
    project = make.study(judgments_per_pair=4, consensus_min_votes=1, scheme=STEPS)
    people = judged.people(project, 4)
    judged.pairs(project, ANSWERS, by=people)
    return people


def by_hand(number, others):
    values = [[VALUES[place] for place in answers] for answers in ANSWERS]
    return fmean(abs(row[number] - fmean(row[other] for other in others)) for row in values)


def test_each_person_is_compared_with_the_mean_of_the_others(people):
    comparisons = by_person.compare_people(people[0].project)
    for number, member in enumerate(people):
        expected = by_hand(number, {0, 1, 2, 3} - {number})
        assert comparisons[member.user_id].distance == pytest.approx(expected)
    [alone] = by_person.compare_people(people[0].project, annotator=people[1].user_id).values()
    assert alone == comparisons[people[1].user_id]


def test_excluded_answers_are_part_of_no_mean(people):
    interventions.exclude(people[0], by=None, reason="-")
    comparisons = by_person.compare_people(people[0].project)
    assert comparisons[people[1].user_id].distance == pytest.approx(by_hand(1, {2, 3}))
    assert comparisons[people[0].user_id].distance == pytest.approx(by_hand(0, {1, 2, 3}))


def test_labels_without_equal_steps_have_no_distance():
    project = make.study()
    judged.pairs(project, [(0, 1, 1, 1, 1)], by=judged.people(project, 5))
    assert {line.distance for line in by_person.compare_people(project).values()} == {None}
