"""Claiming, answering and taking back judgments; when a person is given nothing new."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from annotation.errors import AlreadyAnswered, NotHeld, Refused
from annotation.models import Consensus, Judgment, Membership, Recusal
from annotation.services import judgments
from tests.annotation import cast

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
ONE_EACH = {"judgments_per_pair": 1, "consensus_min_votes": 1}


def study(pairs, people=0, **settings):
    project = cast.study(**settings)
    if pairs:
        cast.pairs(project, pairs)
    return project, [cast.person(project) for _ in range(people)]


def reread(member):
    """The membership as the next request reads it."""
    return Membership.objects.select_related("project", "user").get(pk=member.pk)


def test_a_person_is_given_each_pair_once_in_order_and_one_at_a_time():
    project, [alice] = study(0, people=1)
    made = cast.pairs(project, 3)
    for candidate in made:
        held = judgments.claim(alice)
        assert (held.pair.candidate, held.annotator) == (candidate, alice.user)
        assert judgments.claim(alice) == held
        cast.judge_next(alice)
    assert judgments.claim(alice) is None


def test_a_held_pair_stays_claimed_since_it_was_claimed_and_its_lease_is_renewed():
    project, [alice] = study(1, people=1)
    claimed_at = judgments.claim(alice).claimed_at
    Judgment.objects.update(lease_until=timezone.now() - timedelta(hours=1))
    again = judgments.claim(alice)
    assert again.claimed_at == claimed_at
    left = again.lease_until - timezone.now()
    assert timedelta(0) < left <= timedelta(minutes=project.lease_minutes)


def test_the_fifth_judgment_decides_a_pair_and_there_is_no_sixth(subtests):
    for labels, verdict in (
        ((1, 1, 0, 1, 1), ([1, 4], 1, True)),
        ((1, 1, 0, 1, 0), ([2, 3], 1, False)),
    ):
        with subtests.test(labels=labels):
            project, people = study(1, people=6)
            for member, label in zip(people, labels, strict=False):
                assert not Consensus.objects.filter(pair__project=project).exists()
                assert cast.judge_all(member, label) == 1
            decided = Consensus.objects.get(pair__project=project)
            assert (decided.tally, decided.label, decided.kept) == verdict
            assert judgments.claim(people[5]) is None


def test_the_graded_scale_counts_two_and_three_as_paraphrase():
    _, people = study(1, people=3, protocol="parade")
    for member, label in zip(people, (3, 2, 0), strict=True):
        cast.judge_next(member, label)
    decided = Consensus.objects.get()
    assert (decided.tally, decided.label, decided.kept) == ([1, 0, 1, 1], 1, True)


def test_an_answer_is_stored_once_with_what_was_sent_first():
    _, [alice] = study(1, people=1)
    pair = judgments.claim(alice).pair.public_id
    for highlighted, seconds in ((True, 3.0), (False, 9.0)):
        sent = {"pair": pair, "label": 1, "seconds": seconds, "highlighted": highlighted}
        assert judgments.answer(alice, **sent)[1] is None
    stored = Judgment.objects.get(annotator=alice.user)
    assert (stored.label, stored.highlighted, stored.seconds) == (1, True, 3.0)
    assert (stored.lease_until, stored.number) == (None, 1)
    assert abs(timezone.now() - stored.submitted_at) < timedelta(minutes=5)
    assert judgments.submit(alice, pair_public_id=pair, label=1, seconds=9.0) == stored
    with pytest.raises(AlreadyAnswered):
        judgments.submit(alice, pair_public_id=pair, label=0)
    turn, refusal = judgments.answer(alice, pair=pair, label=0)
    assert (type(refusal), turn.held, turn.tally.total) == (AlreadyAnswered, None, 1)
    assert Judgment.objects.get(annotator=alice.user) == stored


def test_a_label_outside_the_scale_is_refused_and_the_pair_stays_with_the_person():
    _, [alice] = study(2, people=1)
    pair = judgments.claim(alice).pair
    for label in (-1, 2, 10**30):
        with pytest.raises(Refused):
            judgments.submit(alice, pair_public_id=pair.public_id, label=label)
        turn, refusal = judgments.answer(alice, pair=pair.public_id, label=label)
        assert (type(refusal), turn.held.public_id) == (Refused, pair.public_id)
    assert judgments.submit(alice, pair_public_id=pair.public_id, label=0).label == 0


def test_only_the_holder_answers_a_pair_and_only_in_its_project():
    _, [alice, bob] = study(1, people=2)
    _, [elsewhere] = study(0, people=1)
    pair = judgments.claim(alice).pair.public_id
    other_project = cast.study()
    same_user = Membership.objects.create(project=other_project, user=alice.user)
    for member, public_id in (
        (bob, pair),
        (elsewhere, pair),
        (same_user, pair),
        (alice, uuid.uuid4()),
    ):
        with pytest.raises(NotHeld):
            judgments.submit(member, pair_public_id=public_id, label=1)
    assert not Judgment.objects.filter(label__isnull=False).exists()


def test_an_expired_lease_goes_back_to_the_queue_even_for_those_beyond_it():
    _, [alice, bob] = study(2, people=2, **ONE_EACH)
    held = judgments.claim(alice)
    cast.judge_next(bob)
    assert judgments.claim(bob) is None
    Judgment.objects.filter(pk=held.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert judgments.claim(bob) == held
    with pytest.raises(NotHeld):
        judgments.submit(alice, pair_public_id=held.pair.public_id, label=1)


def test_an_answer_after_the_lease_counts_when_no_one_else_took_the_pair():
    _, [alice] = study(1, people=1)
    pair = judgments.claim(alice).pair
    Judgment.objects.update(lease_until=timezone.now() - timedelta(hours=1))
    judgments.submit(alice, pair_public_id=pair.public_id, label=0)
    assert Judgment.objects.get(annotator=alice.user).label == 0


def test_undo_holds_the_last_answer_again_and_releases_what_was_held():
    project, [alice] = study(2, people=1)
    assert judgments.undo(alice) is None
    pair = judgments.claim(alice).pair.public_id
    judgments.answer(alice, pair=pair, label=1, seconds=2.0, highlighted=True)
    second = judgments.claim(alice)
    assert second.pair.public_id != pair
    undone = judgments.undo(alice)
    undone.refresh_from_db()
    assert undone.pair.public_id == pair
    emptied = (undone.label, undone.seconds, undone.highlighted, undone.submitted_at, undone.number)
    assert emptied == (None,) * 5
    left = undone.lease_until - timezone.now()
    assert timedelta(0) < left <= timedelta(minutes=project.lease_minutes)
    released = Judgment.objects.get(pk=second.pk)
    assert (released.annotator, released.lease_until) == (None, None)
    assert released.claimed_at == second.claimed_at
    assert judgments.claim(alice) == undone
    assert cast.judge_next(alice, 0).label == 0
    assert judgments.claim(alice) == second


def test_undo_takes_back_the_latest_of_several_answers_in_this_project():
    _, [alice] = study(2, people=1)
    answered = [cast.judge_next(alice) for _ in range(2)]
    other = cast.study()
    cast.pairs(other, 1)
    elsewhere = Membership.objects.create(project=other, user=alice.user)
    cast.judge_next(elsewhere)
    assert judgments.undo(alice) == answered[1]


def test_undo_ends_where_a_pair_is_decided():
    _, [alice] = study(1, people=1, **ONE_EACH)
    cast.judge_next(alice)
    assert judgments.undo(alice) is None
    assert Judgment.objects.get().label == 1


def test_a_turn_takes_the_same_number_of_statements_however_much_was_done(
    django_assert_num_queries,
):
    _, [alice] = study(14, people=1)
    for done in range(13):
        held = judgments.turn(alice).held
        if done in (0, 12):
            with django_assert_num_queries(1 if connection.vendor == "postgresql" else 13):
                judgments.answer(alice, pair=held.public_id, label=1)
        else:
            judgments.answer(alice, pair=held.public_id, label=1)


def close(member):
    member.project.is_open = False
    member.project.save()


def pause(member):
    member.paused_at = timezone.now()
    member.save()


def ask_for_consent(member):
    member.project.consent, member.project.consent_changed_at = "Agree.", timezone.now()
    member.project.save()


def ask_for_qualification(member):
    member.project.asks_qualification = True
    member.project.save()


@pytest.mark.parametrize("stop", [close, pause, ask_for_consent, ask_for_qualification])
def test_a_person_who_is_given_no_work_may_answer_what_they_hold_and_nothing_else(stop):
    _, [alice, bob] = study(2, people=2)
    held = judgments.claim(alice)
    answered = cast.judge_next(bob)
    for member in (alice, bob):
        stop(member)
    turn, refusal = judgments.answer(reread(alice), pair=held.pair.public_id, label=1)
    assert (turn.held, refusal) == (None, None)
    assert Judgment.objects.get(annotator=alice.user_id).label == 1
    assert judgments.claim(reread(alice)) is None
    assert judgments.undo(reread(bob)) is None
    answered.refresh_from_db()
    assert answered.label == 1


def test_a_member_without_leave_to_judge_is_given_nothing():
    project, _ = study(1)
    assert judgments.claim(cast.person(project, may_judge=False)) is None


def test_the_most_judgments_of_one_person_are_a_limit_and_an_undone_one_does_not_count():
    _, [alice] = study(4, people=1, most_judgments=2)
    assert cast.judge_all(alice, 1) == 2
    undone = judgments.undo(alice)
    assert judgments.claim(alice) == undone


def test_accounts_of_one_person_are_never_given_the_same_pair():
    _, [main, other, bob] = study(2, people=3)
    earlier = cast.judge_next(other).pair
    cast.same_person(main, other)
    assert judgments.claim(main).pair != earlier
    cast.judge_next(main)
    assert [judgments.claim(main), judgments.claim(other)] == [None, None]
    assert judgments.claim(bob).pair == earlier


def test_a_slot_names_the_person_of_several_accounts_until_it_is_released():
    _, [main, other, bob] = study(3, people=3)
    cast.same_person(main, other)
    persons = [judgments.claim(member).person_id for member in (main, other, bob)]
    assert persons == [main.user_id, main.user_id, None]
    cast.judge_next(main)
    held = judgments.claim(main)
    assert judgments.claim(main).person_id == main.user_id
    judgments.undo(main)
    held.refresh_from_db()
    assert (held.annotator, held.person) == (None, None)


def test_no_account_of_a_corrector_judges_the_pair():
    project = cast.study()
    cast.candidates(project, [("Ada saw Bo.", "Bo saw Ada.")])
    main, other, third, stranger = (cast.person(project) for _ in range(4))
    cast.same_person(main, other, third)
    cast.correct_next(other)
    assert dict(Recusal.objects.values_list("annotator", "reason")) == {
        main.user_id: "same_person",
        other.user_id: "corrected",
        third.user_id: "same_person",
    }
    assert [judgments.claim(member) for member in (main, other, third)] == [None] * 3
    assert judgments.claim(stranger).pair == project.pairs.get()
