"""Claiming, answering and taking back judgments; who is given nothing new; turns on Postgres."""

import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.utils import timezone

from annotation.errors import AlreadyAnswered, NotHeld, Refused
from annotation.models import Consensus, Judgment, Membership, Recusal
from annotation.work.services.turns import Answer, postgres
from tests.annotation import make
from tests.annotation.services.small_study import expire, has_new_lease, judge, reread, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]


def test_a_person_is_given_each_pair_once_in_order_one_at_a_time_and_up_to_their_limit():
    project, [alice] = study(people=1, limits={"judge": 3})
    for candidate in make.pairs(project, 5)[:3]:
        held = make.claim(alice)
        assert (held.pair.candidate, held.annotator) == (candidate, alice.user)
        expire(held)
        again = make.claim(alice)
        assert (again, again.claimed_at, has_new_lease(again)) == (held, held.claimed_at, True)
        make.judge_next(alice)
    assert make.claim(alice) is None
    undone = make.undo(alice)
    assert make.claim(alice) == undone
    assert make.claim(make.person(project, kinds=["correct"])) is None


def test_the_last_judgment_decides_a_pair_and_there_is_no_further_one_and_no_undo(subtests):
    for protocol, labels, verdict in (
        ("paws", (1, 1, 0, 1, 1), ([1, 4], 1, True)),
        ("paws", (1, 1, 0, 1, 0), ([2, 3], 1, False)),
        ("parade", (3, 2, 0), ([1, 0, 1, 1], 1, True)),
    ):
        with subtests.test(labels=labels):
            project, _ = study(1, protocol=protocol)
            of_pair = Consensus.objects.filter(pair__project=project)
            for label in labels:
                assert not of_pair.exists()
                [last] = judge(project, label)
            assert of_pair.values_list("tally", "label", "kept").get() == verdict
            assert make.claim(make.person(project)) is None
            assert make.undo(last) is None
            assert last.user.slots.get().label == labels[-1]


def test_an_answer_is_stored_once_with_what_was_sent_first():
    _, [alice] = study(1, people=1)
    pair = make.claim(alice).item.public_id
    for highlighted, seconds in ((True, 3.0), (False, 9.0)):
        sent = {"pair": pair, "label": 1, "seconds": seconds, "highlighted": highlighted}
        assert make.turn(alice, **sent)[1] is None
    stored = Judgment.objects.get(annotator=alice.user)
    assert (stored.label, stored.highlighted, stored.seconds) == (1, True, 3.0)
    assert (stored.lease_until, stored.number) == (None, 1)
    assert timezone.now() - stored.submitted_at < timedelta(minutes=5)
    assert make.submit(alice, item=pair, label=1, seconds=9.0) == stored
    with pytest.raises(AlreadyAnswered):
        make.submit(alice, item=pair, label=0)
    turn, refusal = make.turn(alice, pair=pair, label=0)
    assert (type(refusal), turn.held, turn.tally.total) == (AlreadyAnswered, None, 1)
    assert Judgment.objects.values().get(pk=stored.pk)["label"] == 1


def test_only_the_holder_answers_a_pair_and_only_in_its_project_and_on_its_scale():
    _, [alice, bob] = study(1, people=2)
    pair = make.claim(alice).item.public_id
    other_project, [stranger] = study(people=1)
    elsewhere = Membership.objects.create(project=other_project, user=alice.user)
    for member, key in ((bob, pair), (stranger, pair), (elsewhere, pair), (alice, uuid.uuid4())):
        with pytest.raises(NotHeld):
            make.submit(member, item=key, label=1)
    for label in (-1, 2, 10**30):
        with pytest.raises(Refused):
            make.submit(alice, item=pair, label=label)
        turn, refusal = make.turn(alice, pair=pair, label=label)
        assert (type(refusal), turn.shown.id) == (Refused, pair)
    assert not Judgment.objects.filter(submitted_at__isnull=False).exists()
    assert make.submit(alice, item=pair, label=0).label == 0


def test_an_expired_lease_goes_back_to_the_queue_even_for_those_beyond_it():
    _, [alice, bob] = study(2, people=2, judgments_per_pair=1, consensus_min_votes=1)
    held = make.claim(alice)
    make.judge_next(bob)
    assert make.claim(bob) is None
    expire(held)
    assert make.claim(bob) == held
    with pytest.raises(NotHeld):
        make.submit(alice, item=held.item.public_id, label=1)
    expire(held)  # who answers late is not refused while the pair is theirs
    assert make.submit(bob, item=held.item.public_id, label=0).label == 0


def test_undo_holds_the_last_answer_again_and_releases_what_was_held():
    _, [alice] = study(3, people=1)
    assert make.undo(alice) is None
    make.judge_next(alice)
    pair = make.claim(alice).item.public_id
    make.turn(alice, pair=pair, label=1, seconds=2.0, highlighted=True)
    third = make.claim(alice)
    elsewhere = Membership.objects.create(project=study(1)[0], user=alice.user)
    make.judge_next(elsewhere)
    undone = make.undo(alice)
    undone.refresh_from_db()
    emptied = (undone.label, undone.seconds, undone.highlighted, undone.submitted_at, undone.number)
    assert (undone.item.public_id, emptied, has_new_lease(undone)) == (pair, (None,) * 5, True)
    released = Judgment.objects.get(pk=third.pk)
    assert (released.annotator, released.lease_until) == (None, None)
    assert released.claimed_at == third.claimed_at
    assert make.claim(alice) == undone
    assert make.judge_next(alice, 0).label == 0
    assert make.claim(alice) == third


def test_a_person_who_is_given_no_work_may_answer_what_they_hold_and_nothing_else(subtests):
    now = timezone.now()
    for project_has, member_has in (
        ({"is_open": False}, {}),
        ({}, {"paused_at": now}),
        ({"consent": "Agree.", "consent_changed_at": now}, {}),
        ({"asks_qualification": True}, {}),
    ):
        with subtests.test(**project_has, **member_has):
            project, [alice, bob] = study(2, people=2)
            held, answered = make.claim(alice), make.judge_next(bob)
            type(project).objects.filter(pk=project.pk).update(**project_has)
            project.memberships.update(**member_has)
            alice, bob = reread(alice), reread(bob)
            turn, refusal = make.turn(alice, pair=held.item.public_id, label=1)
            assert (turn.held, refusal, make.claim(alice)) == (None, None, None)
            assert make.undo(bob) is None
            for slot in (held, answered):
                slot.refresh_from_db()
                assert slot.label == 1


def test_accounts_of_one_person_are_never_given_the_same_pair():
    _, [main, other, bob] = study(3, people=3)
    earlier = make.judge_next(other).pair
    make.same_person(main, other)
    held = [make.claim(member) for member in (main, other, bob)]
    assert len({earlier, held[0].pair, held[1].pair}) == 3
    assert held[2].pair == earlier
    assert [slot.person_id for slot in held] == [main.user_id, main.user_id, None]
    assert make.claim(main).person_id == main.user_id
    make.undo(other)
    released = Judgment.objects.get(pk=held[1].pk)
    assert (released.annotator, released.person) == (None, None)


def test_no_account_of_a_corrector_judges_the_pair_nor_a_back_translation_of_its_sentence():
    project, [main, other, third, stranger] = study(people=4)
    make.candidates(project, [("Ada saw Bo.", "Bo saw Ada.")])
    make.same_person(main, other, third)
    corrected = make.correct_next(other).pair
    reasons = {main: "same_person", other: "corrected", third: "same_person"}
    assert dict(Recusal.objects.values_list("annotator", "reason")) == {
        member.user_id: reason for member, reason in reasons.items()
    }
    assert [make.claim(member) for member in reasons] == [None] * 3
    assert make.judge_next(stranger).pair == corrected
    texts = ["Ada is seen by Bo.", "By Bo, Ada is seen."]
    made, _ = make.rewrites(project, corrected.sentence2, texts)
    assert [make.claim(member) for member in reasons] == [None] * 3
    assert make.claim(stranger).pair.candidate == made


@pytest.mark.postgres
def test_an_answer_is_one_statement_and_two_when_it_decides(django_assert_num_queries):
    early = {"decides_early": True}
    for settings, statements in (
        ({"judgments_per_pair": 2, "consensus_min_votes": 1}, (1, 2)),
        (early | {"order": "depth"}, (1, 1, 1, 2)),
        (early | {"order": "breadth"}, (1, 1, 1, 2)),
    ):
        project, people = study(1, people=len(statements), **settings)
        for member, number in zip(people, statements, strict=True):
            held = make.turn(member).held
            with django_assert_num_queries(number):
                make.turn(member, pair=held.public_id, label=1)
        assert Consensus.objects.get(pair__project=project).tally == [0, len(statements)]


@pytest.mark.postgres
def test_a_pair_is_not_decided_on_labels_that_are_no_longer_its_own():
    project, [last] = study(1, people=1, judgments_per_pair=2, consensus_min_votes=1)
    judge(project, 1)
    question = turns.question_of(last, Answer(make.turn(last).shown.id, 1))
    with connection.cursor() as cursor:
        cursor.execute(postgres.statement_for(question), postgres.parameters(question, others=[0]))
    assert not Consensus.objects.exists()
    assert Judgment.objects.get(annotator=last.user_id).label is None


@pytest.mark.postgres
def test_a_turn_that_others_disturb_is_taken_again_but_not_for_ever(monkeypatch):
    _, [alice] = study(1, people=1)
    executed, times = postgres._executed, []

    def disturbed(*question):
        times.append(len(times))
        if len(times) % 2:
            raise IntegrityError("unique_judgment_held")
        nothing = postgres._Row(*[None] * len(postgres._Row._fields))
        return nothing._replace(lost=True)

    monkeypatch.setattr(postgres, "_executed", disturbed)
    with pytest.raises(OperationalError):
        make.turn(alice)
    assert len(times) == postgres.TRIES
    tries = iter([disturbed] * (postgres.TRIES - 1))
    monkeypatch.setattr(postgres, "_executed", lambda *asked: next(tries, executed)(*asked))
    assert make.claim(alice).annotator == alice.user
