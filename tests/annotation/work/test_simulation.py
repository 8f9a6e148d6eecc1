"""Simulated people agree on the truth of a pair, whatever the kind of study."""

from collections import Counter
from datetime import date

import pytest

from annotation.models import Judgment, Project
from annotation.questions import selectors, services
from annotation.stats.groups import OTHER
from annotation.work.simulation import answers_of, crowd, work
from generation.models import Candidate, Method
from operations.working_days import Clock
from tests.annotation import make

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("protocol", ["paws", "parade"])
@pytest.mark.parametrize("method", [each for each in Method if each.makes_pairs])
def test_a_person_without_errors_gives_each_pair_its_side(protocol, method):
    project = make.study(protocol=protocol, gold_every=2, corrected_methods=[])
    make.candidates(project, [(f"Source {n}.", f"Rewrite {n}.") for n in range(3)], method=method)
    gold = {
        pair.pk: pair.gold_label for pair in make.gold_pairs(project, [0, project.scheme.size - 1])
    }
    for _ in work(crowd(project, size=6, accuracy=1.0, seed=1)):
        pass
    sides = {}
    for pair, label in Judgment.objects.answered().values_list("item", "label"):
        sides.setdefault(pair, set()).add(project.scheme.outcome(label))
    assert {pair: {gold[pair] > 0} for pair in gold} == {pair: sides.get(pair) for pair in gold}
    assert [len(side) for side in sides.values()] == [1] * 5


@pytest.mark.parametrize("paraphrase", [0, 1])
def test_a_person_without_errors_follows_the_estimate_of_a_candidate(project, paraphrase):
    make.pairs(project, 3)
    Candidate.objects.update(paraphrase=paraphrase, is_rotation=False)
    for _ in work(crowd(project, size=5, accuracy=1.0, seed=1)):
        pass
    assert {*Judgment.objects.answered().values_list("label", flat=True)} == {paraphrase}


def test_releases_may_tell_two_groups_of_ten_people_who_are_asked_about_themselves(project):
    services.add_ready(project, ["age", "first_language"], by=None)
    make.pairs(project, 6)
    for _ in work(crowd(project, size=10, accuracy=1.0, seed=1)):
        pass
    replies = selectors.publishable(Project.objects.get()).values()
    groups = Counter((row["Age"], row["First language"]) for row in replies)
    assert list(groups.values()) == [5, 5]
    assert not {None, OTHER} & {choice for group in groups for choice in group}


def test_an_item_that_was_in_view_for_longer_than_it_takes_keeps_the_time_of_its_claim(project):
    make.pairs(project, 2)
    [person] = crowd(project, size=1, accuracy=1.0, seed=1)
    clock = Clock(date(2019, 6, 3))
    with clock.set_back():
        person.answer("judge")
        given_at = clock.moment
        clock.advance(3600)
        person.answer("judge")
    assert Judgment.objects.get(serial=2).claimed_at == given_at


class Person:
    """Has this many items to answer; an answer opens one more for `opens_for`."""

    def __init__(self, items, opens_for=None):
        self.items, self.opens_for = items, opens_for

    def answer(self, kind):
        if not self.items:
            return False
        self.items -= 1
        if self.opens_for:
            self.opens_for.items += 1
        return True


def test_people_without_work_are_asked_again_when_an_answer_opened_some_for_them():
    first = Person(items=0)
    assert len(list(answers_of([first, Person(items=1, opens_for=first)], "translate"))) == 2
