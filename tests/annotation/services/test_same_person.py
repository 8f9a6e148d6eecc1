"""Several accounts of one person."""

import pytest

from accounts.models import User
from annotation.errors import NotHeld
from annotation.models import Judgment, Recusal
from annotation.services import judgments, projects, same_person
from tests.annotation import cast
from tests.annotation.services.small_study import reread, study

pytestmark = pytest.mark.django_db


def mark(one, other, *, by=None):
    """Mark two members' accounts as one person's; both read them again."""
    shared = same_person.mark(one.user, other.user, by=by)
    for member in (one, other):
        member.user.refresh_from_db()
    return shared


def mains():
    return dict(User.objects.values_list("pk", "main_account"))


def recusals():
    return sorted(Recusal.objects.values_list("pair", "annotator", "reason"))


def test_accounts_are_given_no_pair_that_the_other_has_had():
    _, [alice, again] = study(pairs=4, people=2)
    cast.judge_next(alice)
    held = judgments.claim(again)
    cast.judge_next(again)
    assert mark(alice, again) == [held.pair]
    assert cast.judge_all(alice, 1) + cast.judge_all(again, 1) == 3
    later = Judgment.objects.filter(pair__gt=held.pair_id, label=1)
    assert list(later.values_list("person", flat=True)) == [alice.user.pk] * 3


def test_each_is_recused_once_from_what_the_other_has_judged_or_corrected():
    project, [alice, again] = study(pairs=1, people=2)
    judged = cast.judge_next(alice).pair
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    corrected = cast.correct_next(again).pair
    assert mark(alice, again, by=again.user) == []
    expected = [
        (judged.pk, again.user.pk, "same_person"),
        (corrected.pk, alice.user.pk, "same_person"),
        (corrected.pk, again.user.pk, "corrected"),
    ]
    assert recusals() == sorted(expected)
    mark(again, alice)
    assert recusals() == sorted(expected)
    assert [main for main in mains().values() if main] == [alice.user.pk]
    same_person.separate(again.user)
    assert recusals() == [expected[2]]


def test_what_one_holds_of_a_pair_that_the_other_has_had_is_taken_back():
    _, [alice, again] = study(pairs=1, people=2)
    cast.judge_next(alice)
    pair = judgments.claim(again).pair
    assert mark(alice, again) == []
    with pytest.raises(NotHeld):
        judgments.submit(again, pair_public_id=pair.public_id, label=1)
    assert judgments.claim(again) is None


def test_three_accounts_are_one_person_in_every_project():
    _, [alice, again, third] = study(pairs=3, people=3)
    other, _ = study(pairs=1)
    elsewhere = [projects.add_member(other, member.user) for member in (alice, third)]
    cast.judge_next(elsewhere[0])
    mark(again, third)
    mark(alice, again)
    assert (mains()[again.user.pk], mains()[third.user.pk]) == (alice.user.pk, alice.user.pk)
    assert sum(cast.judge_all(reread(each), 1) for each in (alice, again, third)) == 3
    assert judgments.claim(reread(elsewhere[1])) is None


def test_an_account_is_not_marked_as_itself():
    _, [alice] = study(people=1)
    with pytest.raises(ValueError, match="as itself"):
        same_person.mark(alice.user, alice.user)


def test_a_separated_account_is_given_what_the_others_have_had():
    _, [alice, again, third] = study(pairs=1, people=3)
    mark(alice, again)
    mark(alice, third)
    cast.judge_next(alice)
    assert judgments.claim(again) is None
    same_person.separate(again.user)
    assert judgments.claim(reread(third)) is None
    assert judgments.claim(reread(again)) is not None


def test_separating_the_main_account_leaves_the_others_together():
    _, [alice, again, third] = study(people=3)
    mark(alice, again)
    mark(alice, third)
    same_person.separate(alice.user)
    left = [mains()[member.user.pk] for member in (alice, again, third)]
    assert left == [None, None, again.user.pk]
