"""Several accounts of one person."""

import pytest

from accounts.models import User
from annotation.errors import NotHeld
from annotation.models import Judgment, Membership, Recusal
from annotation.services import judgments, projects, same_person
from tests.annotation import cast

pytestmark = pytest.mark.django_db


def study(pairs=1, people=2, **settings):
    project = cast.study(**settings)
    cast.pairs(project, pairs)
    return project, [cast.person(project) for _ in range(people)]


def mark(one, other):
    """Mark two members' accounts; they sign in anew, so to say."""
    shared = same_person.mark(one.user, other.user)
    for member in (one, other):
        member.user.refresh_from_db()
    return shared


def mains():
    return dict(User.objects.values_list("username", "main_account__username"))


def test_two_accounts_are_given_no_pair_that_the_other_has_had():
    _, [alice, again] = study(pairs=4)
    cast.judge_next(alice)
    held = judgments.claim(again)
    cast.judge_next(again)
    assert mark(alice, again) == [held.pair]
    assert cast.judge_all(alice, 1) + cast.judge_all(again, 1) == 3
    people = Judgment.objects.filter(pair__gt=held.pair_id, label=1).values_list(
        "person", flat=True
    )
    assert list(people) == [alice.user.pk] * 3


def test_marking_recuses_each_from_what_the_other_has_a_slot_of():
    _, [alice, again] = study(pairs=2)
    cast.judge_next(alice)
    mark(again, alice)
    assert Recusal.objects.get().annotator == again.user
    assert Recusal.objects.get().reason == Recusal.Reason.SAME_PERSON


def test_who_corrected_a_sentence_judges_it_under_no_account():
    project = cast.study()
    cast.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    alice, again = cast.person(project), cast.person(project)
    cast.correct_next(alice)
    mark(alice, again)
    assert judgments.claim(again) is None


def test_what_one_holds_of_a_pair_that_the_other_has_had_is_taken_back():
    _, [alice, again] = study()
    cast.judge_next(alice)
    pair = judgments.claim(again).pair
    assert mark(alice, again) == []
    with pytest.raises(NotHeld):
        judgments.submit(again, pair_public_id=pair.public_id, label=1)
    assert judgments.claim(again) is None


def test_three_accounts_stand_for_one_person():
    _, [alice, again, third] = study(pairs=3, people=3)
    mark(again, third)
    mark(alice, again)
    third.user.refresh_from_db()
    assert mains()[again.user.username] == alice.user.username
    assert mains()[third.user.username] == alice.user.username
    assert sum(cast.judge_all(member, 1) for member in (alice, again, third)) == 3


def test_it_holds_in_every_project():
    _, [alice, again] = study()
    other = cast.study()
    cast.pairs(other, 1)
    elsewhere = [projects.add_member(other, member.user) for member in (alice, again)]
    cast.judge_next(elsewhere[0])
    mark(alice, again)
    elsewhere[1].user.refresh_from_db()
    assert judgments.claim(elsewhere[1]) is None


def test_marked_twice_is_marked_once():
    _, [alice, again] = study()
    cast.judge_next(alice)
    mark(alice, again)
    recusals = list(Recusal.objects.values("pair", "annotator", "reason"))
    mark(again, alice)
    assert list(Recusal.objects.values("pair", "annotator", "reason")) == recusals
    assert [main for main in mains().values() if main] == [alice.user.username]


def test_nobody_is_marked_as_oneself():
    _, [alice, _] = study()
    with pytest.raises(ValueError, match="as itself"):
        same_person.mark(alice.user, alice.user)


def test_a_separated_account_is_given_what_the_others_have_had():
    _, [alice, again, third] = study(people=3)
    mark(alice, again)
    mark(alice, third)
    cast.judge_next(alice)
    assert judgments.claim(again) is None
    same_person.separate(again.user)
    again, third = Membership.objects.filter(pk__in=[again.pk, third.pk]).order_by("pk")
    assert judgments.claim(again) is not None
    assert judgments.claim(third) is None


def test_separating_the_main_account_leaves_the_others_together():
    _, [alice, again, third] = study(people=3)
    mark(alice, again)
    mark(alice, third)
    same_person.separate(alice.user)
    assert mains()[alice.user.username] is None
    assert mains()[third.user.username] == again.user.username
    assert mains()[again.user.username] is None


def test_a_separated_account_keeps_its_other_recusals():
    _, [alice, again] = study()
    pair = Judgment.objects.first().pair
    Recusal.objects.create(pair=pair, annotator=alice.user, reason=Recusal.Reason.SKIPPED)
    mark(alice, again)
    same_person.separate(again.user)
    assert Recusal.objects.get().reason == Recusal.Reason.SKIPPED
