"""How people did at hidden pairs."""

import pytest

from annotation.models import Intervention, Judgment
from annotation.selectors import known
from tests.annotation import cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    return cast.study()


def answered(pair, *labels):
    """Slots of a hidden pair with these answers, each by somebody new."""
    people = [cast.person(pair.project) for _ in labels]
    for number, (person, label) in enumerate(zip(people, labels, strict=True), start=1):
        Judgment.objects.create(
            project=pair.project, pair=pair, slot=number, annotator=person.user, label=label
        )
    return people


def flag(*people):
    for person in people:
        Intervention.objects.create(membership=person, kind="flag", reason="-")


def test_answers_are_counted_by_pair(project):
    [pair, unseen] = cast.known_pairs(project, [1, 0])
    answered(pair, 1, 1, 0)
    found = {each.pair: each for each in known.of_project(project)}
    assert (found[pair].given, found[pair].right) == (3, 2)
    assert (found[unseen].given, found[unseen].is_suspect) == (0, False)


def test_a_pair_that_most_people_miss_is_suspect(project):
    [pair, other] = cast.known_pairs(project, [1, 1])
    answered(pair, 0, 0, 1)
    answered(other, 1, 1, 0)
    first, second = known.of_project(project)
    assert (first.pair, first.is_suspect, second.is_suspect) == (pair, True, False)


def test_two_answers_say_nothing_of_a_pair(project):
    [pair] = cast.known_pairs(project, [1])
    answered(pair, 0, 0)
    assert not known.of_project(project)[0].is_suspect


def test_whoever_is_flagged_does_not_make_a_pair_suspect(project):
    [pair] = cast.known_pairs(project, [1])
    careless = answered(pair, 0, 0, 0, 1)[:2]
    flag(*careless)
    [found] = known.of_project(project)
    assert (found.given, found.given_unflagged, found.right_unflagged) == (4, 2, 1)
    assert not found.is_suspect


def test_grades_on_the_same_side_are_right():
    [pair] = cast.known_pairs(cast.study(protocol="parade"), [3])
    answered(pair, 2, 1)
    [found] = known.of_project(pair.project)
    assert (found.given, found.right) == (2, 1)


def test_one_persons_answers_tell_which_were_right(project):
    [pair, other] = cast.known_pairs(project, [1, 0])
    [alice] = answered(pair, 1)
    Judgment.objects.create(project=project, pair=other, slot=1, annotator=alice.user, label=1)
    answers = known.answers_of(alice)
    assert {answer.pair: answer.is_right for answer in answers} == {pair: True, other: False}


def test_the_number_of_statements_does_not_grow(project, django_assert_num_queries):
    for pair in cast.known_pairs(project, [1] * 6):
        flag(*answered(pair, 1, 0))
    with django_assert_num_queries(3):
        assert len(known.of_project(project)) == 6
