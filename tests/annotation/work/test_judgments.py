"""What an answer decides, early too; who never judges a pair; the one statement on Postgres."""

import pytest
from django.db import IntegrityError, OperationalError, connection

from annotation.errors import AlreadyAnswered, NotHeld
from annotation.models import Consensus, Judgment, Recusal, Slot
from annotation.quality.services import interventions
from annotation.work import answers, judge_postgres, tries
from annotation.work.skips import skip
from tests.annotation import invariants, make
from tests.annotation.small_study import BOTH_ORDERS, judge, study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
EARLY = {"decides_early": True}
ALL_SAME = (([0, 4], 1, True), 0)


def outcome(project):
    """The consensus of the first pair that has one, and how many slots are open."""
    assert invariants.broken(project) == []
    decided = Consensus.objects.filter(pair__project=project).first()
    still_open = Judgment.objects.filter(project=project, submitted_at=None).count()
    return decided and (decided.tally, decided.label, decided.kept), still_open


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


@BOTH_ORDERS
def test_early_a_pair_is_decided_once_no_further_answer_could_change_it(subtests, order):
    graded = EARLY | {"protocol": "parade"}
    for settings, labels, expected in (
        (EARLY, (1, 1, 1, 1), ALL_SAME),
        (EARLY, (0, 0, 0, 0), (([4, 0], 0, True), 0)),
        (EARLY, (1, 1, 0, 1), (None, 1)),
        (EARLY, (1, 0, 1, 1, 1), (([1, 4], 1, True), 0)),
        (EARLY, (1, 0, 1, 0, 1), (([2, 3], 1, False), 0)),
        (graded, (3, 2), (([0, 0, 1, 1], 1, True), 0)),
        (graded, (0, 1), (([1, 1, 0, 0], 0, True), 0)),
        (graded, (1, 2), (None, 1)),
        ({}, (1, 1, 1, 1), (None, 1)),
    ):
        with subtests.test(labels=labels, **settings):
            project, _ = study(1, order=order, **settings)
            judge(project, *labels)
            assert outcome(project) == expected
            assert (make.claim(make.person(project)) is None) == (expected[1] == 0)


def test_a_late_answer_or_skip_of_a_decided_pair_is_refused_and_the_next_pair_comes():
    project, [late] = study(2, people=1, **EARLY)
    judge(project, 1, 1, 1)
    pair = make.turn(late).shown.id
    judge(project, 1)
    with pytest.raises(NotHeld):
        make.submit(late, item=pair, label=1)
    with pytest.raises(NotHeld):
        skip(late.duty("judge"), item=pair, reason="unclear")
    turn = make.turn(late, item=pair, label=1)
    assert (type(turn.refusal), turn.saved) == (NotHeld, "")
    assert turn.shown.id == project.pairs.latest("pk").public_id
    assert outcome(project) == (([0, 4], 1, True), 5)


def test_the_answer_that_decided_is_final_and_one_that_was_undone_does_not_decide():
    project, _ = study(1, **EARLY)
    *_, third = judge(project, 1, 1, 1)
    make.undo(third)
    judge(project, 1)
    assert outcome(project) == (None, 2)
    stored = make.judge_next(third)
    assert make.submit(third, item=stored.item.public_id, label=1) == stored
    with pytest.raises(AlreadyAnswered):
        make.submit(third, item=stored.item.public_id, label=0)
    assert make.undo(third) is None
    assert outcome(project) == ALL_SAME


@BOTH_ORDERS
def test_a_pair_that_was_decided_early_has_all_slots_while_an_answer_is_excluded(order):
    project, _ = study(1, order=order, **EARLY)
    first, *_ = judge(project, 1, 1, 1, 1)
    before = list(Judgment.objects.order_by("pk").values())
    interventions.exclude(first, by=None, reason="Too fast")
    assert outcome(project) == (None, 2)
    interventions.reinstate(first, by=None, reason="They were right")
    assert outcome(project) == ALL_SAME
    assert list(Judgment.objects.order_by("pk").values()) == before
    interventions.exclude(first, by=None, reason="Too fast")
    judge(project, 1)
    assert outcome(project) == ALL_SAME


def test_accounts_of_one_person_are_never_given_the_same_pair():
    _, [main, other, bob] = study(3, people=3)
    earlier = make.judge_next(other).item
    make.same_person(main, other)
    held = [make.claim(member) for member in (main, other, bob)]
    assert len({earlier, held[0].item, held[1].item}) == 3
    assert held[2].item == earlier
    assert [slot.person_id for slot in held] == [main.user_id, main.user_id, bob.user_id]
    assert make.claim(main).person_id == main.user_id
    make.undo(other)
    released = Slot.objects.get(pk=held[1].pk)
    assert (released.annotator, released.person) == (None, None)


def test_no_account_of_a_corrector_judges_the_pair_nor_a_back_translation_of_its_sentence():
    project, [main, other, third, stranger] = study(people=4)
    make.candidates(project, [("Ada saw Bo.", "Bo saw Ada.")])
    make.same_person(main, other, third)
    corrected = make.correct_next(other).results.get()
    recusal = Recusal.objects.get()
    assert (recusal.annotator, recusal.person) == (other.user, main.user)
    assert [make.claim(member) for member in (main, other, third)] == [None] * 3
    assert make.judge_next(stranger).item == corrected
    texts = ["Ada is seen by Bo.", "By Bo, Ada is seen."]
    made, _ = make.rewrites(project, corrected.sentence2, texts)
    assert [make.claim(member) for member in (main, other, third)] == [None] * 3
    assert make.claim(stranger).item.candidate == made


@pytest.mark.postgres
def test_an_answer_is_one_statement_and_two_when_it_decides(django_assert_num_queries):
    for settings, statements in (
        ({"judgments_per_pair": 2, "consensus_min_votes": 1}, (1, 2)),
        (EARLY | {"order": "depth"}, (1, 1, 1, 2)),
        (EARLY | {"order": "breadth"}, (1, 1, 1, 2)),
    ):
        project, people = study(1, people=len(statements), **settings)
        for member, number in zip(people, statements, strict=True):
            answer = {"item": make.turn(member).shown.id, "label": 1}
            duty = member.duty("judge")
            with django_assert_num_queries(number):
                answers.turn(duty, answer)
        assert Consensus.objects.get(pair__project=project).tally == [0, len(statements)]


@pytest.mark.postgres
def test_a_pair_is_not_decided_on_labels_that_are_no_longer_its_own():
    project, [last] = study(1, people=1, judgments_per_pair=2, consensus_min_votes=1)
    judge(project, 1)
    answer = judge_postgres.Answer(make.turn(last).shown.id, 1)
    values = judge_postgres.parameters(last.duty("judge"), answer, others=[0])
    with connection.cursor() as cursor:
        cursor.execute(judge_postgres.statement(), values)
    assert not Consensus.objects.exists()
    assert Judgment.objects.get(annotator=last.user_id).label is None


@pytest.mark.postgres
def test_a_turn_that_others_disturb_is_taken_again_but_not_for_ever(monkeypatch):
    _, [alice] = study(1, people=1)
    executed, times = judge_postgres._execute, []

    def disturbed(values):
        times.append(len(times))
        if len(times) % 2:
            raise IntegrityError("slot_in_progress_one_at_a_time")
        nothing = judge_postgres._Row(*[None] * len(judge_postgres._Row._fields))
        return nothing._replace(is_lost=True)

    monkeypatch.setattr(judge_postgres, "_execute", disturbed)
    with pytest.raises(OperationalError):
        make.turn(alice)
    assert len(times) == tries.MOST
    steps = iter([disturbed] * (tries.MOST - 1))
    monkeypatch.setattr(judge_postgres, "_execute", lambda values: next(steps, executed)(values))
    assert make.claim(alice).annotator == alice.user
