"""Several accounts of one person."""

import pytest

from accounts.models import User
from annotation.errors import NotHeld
from annotation.models import Judgment, Recusal
from annotation.people.services import same_person
from annotation.projects.services import projects
from tests.annotation import make
from tests.annotation.services.small_study import reread, study

pytestmark = pytest.mark.django_db


def mark(one, other, *, by=None):
    shared = same_person.mark(one.user, other.user, by=by)
    for member in (one, other):
        member.user.refresh_from_db()
    return shared


def mains(*members):
    main = dict(User.objects.values_list("pk", "main_account"))
    return [main[member.user_id] for member in members]


def recusals():
    return set(Recusal.objects.values_list("item", "annotator", "reason"))


def test_accounts_are_given_no_pair_that_the_other_has_had_and_lose_what_they_hold_of_it():
    _, [alice, again] = study(4, people=2)
    first = make.judge_next(alice).item
    assert make.judge_next(again).item == first
    second = make.judge_next(alice).item
    assert make.claim(again).item == second
    assert mark(alice, again) == [first]
    with pytest.raises(NotHeld):
        make.submit(again, item=second.public_id, label=1)
    assert make.judge_all(alice, 1) + make.judge_all(again, 1) == 2
    later = Judgment.objects.filter(label=1).exclude(item__in=[first, second])
    assert list(later.values_list("person", flat=True)) == [alice.user_id] * 2


def test_each_is_recused_once_from_what_the_other_has_judged_or_corrected():
    project, [alice, again] = study(1, people=2)
    judged = make.judge_next(alice).item_id
    make.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    correction = make.correct_next(again)
    candidate, corrected = correction.item_id, correction.results.get().pk
    assert mark(alice, again, by=again.user) == []
    own = (corrected, again.user_id, "corrected")
    others = {(judged, again.user_id), *((item, alice.user_id) for item in (candidate, corrected))}
    assert recusals() == {own, *[(*each, "same_person") for each in others]}
    mark(again, alice)
    assert (len(recusals()), mains(alice, again)) == (4, [None, alice.user_id])
    same_person.separate(again.user)
    assert recusals() == {own}
    with pytest.raises(ValueError, match="as itself"):
        same_person.mark(alice.user, alice.user)


def test_three_accounts_are_one_person_everywhere_until_they_are_separated():
    _, people = study(3, people=3)
    other, _ = study(1)
    elsewhere = [projects.add_member(other, member.user) for member in people]
    make.judge_next(elsewhere[0])
    mark(people[1], people[2])
    mark(people[0], people[1])
    assert mains(*people) == [None, people[0].user_id, people[0].user_id]
    assert sum(make.judge_all(reread(each), 1) for each in people) == 3
    same_person.separate(people[1].user)
    given = [make.claim(reread(each)) is not None for each in elsewhere]
    assert given == [False, True, False]
    mark(people[0], people[1])
    same_person.separate(people[0].user)
    assert mains(*people) == [None, None, people[1].user_id]


def test_the_others_may_judge_what_an_account_judged_before_it_was_separated():
    _, people = study(1, people=3)
    mark(people[0], people[1])
    mark(people[0], people[2])
    make.judge_next(reread(people[2]))
    assert make.claim(reread(people[0])) is None
    same_person.separate(people[2].user)
    assert make.claim(reread(people[0])) is not None
