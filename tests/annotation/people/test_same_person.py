"""Several accounts of one person."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import AuditEntry, User
from annotation.errors import NotHeld, Refused
from annotation.models import Judgment, Recusal, Slot
from annotation.people.services import same_person
from annotation.projects.services import projects
from annotation.work import queue
from tests.annotation import make
from tests.annotation.small_study import reread, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def mark(one, other, *, by=None):
    shared = same_person.mark(one.user, other.user, by=by)
    for member in (one, other):
        member.user.refresh_from_db()
    return shared


def mains(*members):
    main = dict(User.objects.values_list("pk", "main_account"))
    return [main[member.user_id] for member in members]


def recusals():
    return set(Recusal.objects.values_list("item", "annotator", "person"))


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


def test_what_an_account_has_or_is_recused_from_names_the_main_account():
    project, [alice, again] = study(1, people=2)
    judged = make.judge_next(alice).item_id
    make.candidates(project, [("Ada met Bo.", "Bo met Ada.")])
    correction = make.correct_next(again)
    candidate, corrected = correction.item_id, correction.results.get().pk
    assert mark(alice, again, by=again.user) == []
    assert recusals() == {(corrected, again.user_id, alice.user_id)}
    theirs = Slot.objects.filter(person=alice.user_id).values_list("item", flat=True)
    assert set(theirs) == {judged, candidate}
    mark(again, alice)
    assert mains(alice, again) == [None, alice.user_id]
    same_person.separate(again.user)
    assert recusals() == {(corrected, again.user_id, again.user_id)}
    assert not Slot.objects.filter(person=alice.user_id, item=candidate).exists()
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


def test_a_pair_that_two_accounts_judged_is_given_to_none_again_when_one_takes_it_back():
    _, [alice, again] = study(1, people=2)
    pair = make.judge_next(alice).item
    make.judge_next(again)
    mark(alice, again)
    make.undo(alice)
    queue.give_back(Slot.objects.filter(item=pair, annotator=alice.user))
    assert [make.claim(reread(member)) for member in (alice, again)] == [None, None]
    same_person.separate(again.user)
    assert make.claim(reread(alice)).item == pair


def test_a_claim_that_began_before_the_mark_is_refused():
    _, [alice, again, corrector] = study(1, people=3)
    pair = make.judge_next(alice).item
    mark(alice, again)
    recused = {"annotator": corrector.user, "person": corrector.user}
    Recusal.objects.create(item=pair, reason="corrected", **recused)
    free = Slot.objects.filter(item=pair, annotator=None)[:1]
    with_other_account = {"annotator": again.user, "person": alice.user}
    for claim, refusal in ((recused, "must not get"), (with_other_account, "(?i)unique")):
        with pytest.raises(IntegrityError, match=refusal), transaction.atomic():
            Slot.objects.filter(pk__in=free).update(**claim)


def test_a_gold_pair_that_both_hold_is_given_to_no_one_else():
    project, [alice, again] = study(people=2, gold_every=2)
    make.gold_pairs(project, [1])
    make.pairs(project, 5)
    for member in (alice, again):
        while not (slot := make.claim(member)).item.gold_label:
            make.submit(member, item=slot.item.public_id, label=1)
    assert Slot.objects.filter(item__gold_label=1).count() == 2
    mark(alice, again)
    assert not Slot.objects.filter(item__gold_label=1).exists()


def test_an_account_that_nobody_linked_is_not_said_to_be_linked_elsewhere():
    project, [alice] = study(people=1)
    with pytest.raises(Refused, match="not linked"):
        same_person.separate(alice.user, project=project)


def test_a_mark_belongs_to_its_project_and_is_on_record_in_each_that_has_both():
    ours, [alice, again] = study(people=2)
    theirs, strange = study()[0], study()[0]
    for member in (alice, again):
        projects.add_member(theirs, member.user)
    projects.add_member(strange, again.user)
    chief = make.person(ours, role="manager").user
    same_person.mark(alice.user, again.user, project=ours, by=chief)
    for other in (theirs, strange):
        with pytest.raises(Refused, match="Another project"):
            same_person.separate(again.user, project=other)
    same_person.mark(alice.user, again.user, project=theirs)
    assert not same_person.separate(again.user, project=ours, by=chief)
    assert mains(alice, again) == [None, alice.user_id]
    assert same_person.separate(again.user, project=theirs)
    assert mains(alice, again) == [None, None]
    entries = AuditEntry.objects.filter(act__in=["same-person", "separated"])
    known = {ours.public_id: "ours", theirs.public_id: "theirs"}
    found = [(known[entry.project], entry.act, entry.by) for entry in entries.order_by("pk")]
    by = (chief, None, chief, None)
    acts = ("same-person", "same-person", "separated", "separated")
    assert found == [
        (name, act, who) for act, who in zip(acts, by, strict=True) for name in ("ours", "theirs")
    ]
