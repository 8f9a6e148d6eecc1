"""Answers of decided pairs are sealed soon; what lawfully happens later breaks no seal."""

import json
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import erasure
from annotation.models import Consensus, Judgment, Seal, SentencePair
from annotation.selectors import seals as chain
from annotation.services import interventions, judgments, rounds, same_person, seals
from tests.annotation import cast, judged

pytestmark = pytest.mark.django_db


@pytest.fixture
def project():
    """Three pairs: one all agree on, one they do not agree on, and one that lacks an answer."""
    project = cast.study()
    members = judged.people(project, 5)
    judged.pairs(project, [[1] * 5, [1, 1, 1, 0, 0], [1] * 4], by=members)
    return project


def pair(project, number):
    return project.pairs.order_by("pk")[number]


def is_whole():
    return not list(chain.broken()) and not list(chain.added())


def member(project, number):
    return project.memberships.order_by("pk")[number]


def test_answers_of_decided_pairs_are_sealed_and_no_others(project):
    assert seals.seal_waiting() == 2
    assert set(Seal.objects.values_list("judgment__pair", flat=True)) == {
        pair(project, 0).pk,
        pair(project, 1).pk,
    }
    assert sorted(Seal.objects.values_list("number", flat=True)) == list(range(1, 11))
    assert is_whole()


def test_what_is_sealed_is_not_sealed_again(project):
    seals.seal_waiting()
    head = chain.head()
    assert seals.seal_waiting() == 0
    assert chain.head() == head


def test_the_chain_is_carried_on(project):
    seals.seal_waiting()
    first = chain.head()
    cast.judge_next(cast.person(project))
    assert seals.seal_waiting() == 1
    assert chain.head().number == 15
    assert chain.digest_at(first.number) == first.digest
    assert is_whole()


def test_pairs_are_sealed_in_the_order_in_which_they_were_decided(project, monkeypatch):
    monkeypatch.setattr(seals, "PAIRS_AT_ONCE", 1)
    later, sooner = pair(project, 0), pair(project, 1)
    earlier = timezone.now() - timedelta(days=1)
    Consensus.objects.filter(pair=sooner).update(decided_at=earlier)
    assert seals.seal_next() == 1
    assert set(Seal.objects.values_list("judgment__pair", flat=True)) == {sooner.pk}
    assert seals.seal_waiting() == 1
    assert Seal.objects.get(number=6).judgment.pair == later
    assert is_whole()


def test_answers_that_are_held_out_and_put_back_stay_sealed(project):
    seals.seal_waiting()
    manager = member(project, 1).user
    interventions.hold_out(member(project, 0), by=manager, reason="These look like guesses.")
    assert is_whole()
    for _ in range(3):
        cast.judge_all(cast.person(project), 1)
    assert seals.seal_waiting() > 0
    assert is_whole()
    interventions.reinstate(member(project, 0), by=manager, reason="They were not.")
    assert seals.seal_waiting() > 0
    assert is_whole()
    assert Seal.objects.count() == Judgment.objects.filter(label__isnull=False).count()


def test_a_second_round_is_sealed_behind_the_first(project):
    seals.seal_waiting()
    asked = pair(project, 1)
    rounds.reopen(project, [asked.public_id], by=member(project, 0).user)
    assert is_whole()
    for _ in range(5):
        cast.judge_all(cast.person(project), 1)
    seals.seal_waiting()
    assert is_whole()
    assert Seal.objects.filter(judgment__pair=asked).count() == 10


def test_answers_of_a_round_that_ended_before_it_was_sealed_are_sealed_with_the_next(project):
    asked = pair(project, 1)
    rounds.reopen(project, [asked.public_id], by=member(project, 0).user)
    seals.seal_waiting()
    assert not Seal.objects.filter(judgment__pair=asked).exists()
    for _ in range(5):
        cast.judge_all(cast.person(project), 1)
    seals.seal_waiting()
    assert Seal.objects.filter(judgment__pair=asked).count() == 10


def test_which_slot_an_answer_stands_in_is_not_sealed(project):
    """Slots of an open pair may be numbered anew."""
    seals.seal_waiting()
    opened = pair(project, 0)
    Consensus.objects.filter(pair=opened).delete()
    SentencePair.objects.filter(pk=opened.pk).update(slots=6)
    Judgment.objects.filter(pair=opened, slot=5).update(slot=6)
    assert is_whole()


def test_an_erased_person_leaves_the_seals_whole(project):
    seals.seal_waiting()
    erasure.erase(member(project, 0).user, by=None)
    assert is_whole()


def test_accounts_that_turn_out_to_be_one_persons_leave_the_seals_whole(project):
    seals.seal_waiting()
    same_person.mark(member(project, 0).user, member(project, 1).user)
    assert is_whole()


def test_recomputing_every_consensus_leaves_the_seals_whole(project):
    seals.seal_waiting()
    Consensus.objects.filter(pair=pair(project, 0)).delete()
    call_command("recompute_consensus", project=project.name)
    assert Consensus.objects.filter(pair=pair(project, 0)).exists()
    assert is_whole()


def test_another_process_that_was_faster_leaves_nothing_to_do(project, monkeypatch):
    """As it is met: the number is taken between the look at the head and the insertion."""
    before = chain.head()
    answer = Judgment.objects.filter(pair=pair(project, 1)).first()
    taken = Seal(number=1, judgment=answer, digest=bytes(32))

    def append():
        taken.save(force_insert=True)
        raise IntegrityError

    monkeypatch.setattr(seals, "_append", append)
    assert seals.seal_next() == 0
    assert chain.head() != before


def test_an_error_that_nobody_else_caused_is_raised(project, monkeypatch):
    def append():
        raise IntegrityError

    monkeypatch.setattr(seals, "_append", append)
    with pytest.raises(IntegrityError):
        seals.seal_next()


def test_sealing_takes_as_many_statements_for_many_pairs_as_for_few(project):
    few = statements()
    judged.pairs(project, [[1] * 5] * 40, by=judged.people(project, 5))
    assert statements() == few <= 12


def test_looking_for_nothing_takes_one_statement(project):
    seals.seal_waiting()
    with CaptureQueriesContext(connection) as captured:
        assert seals.seal_next() == 0
    assert len(captured) == 1


MANY = """
INSERT INTO annotation_consensus (pair_id, tally, label, kept, decided_at, sealed_at)
SELECT -n, '[0, 5]', 1, true, now() - n * interval '1 second', now()
FROM generate_series(1, 100000) n"""


def test_looking_for_pairs_reads_an_index_of_those_that_wait():
    assert "consensus_not_sealed" in chain.waiting().values("pair")[:200].explain()


@pytest.mark.postgres
@pytest.mark.parametrize("knows", [True, False])
def test_with_100_000_sealed_pairs_it_reads_a_handful_of_pages(project, knows):
    """Whether the statistics are up to date or none."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(MANY)
        cursor.execute("SET LOCAL session_replication_role = origin")
        if knows:
            cursor.execute("ANALYZE annotation_consensus")
    waiting = chain.waiting().values("pair")[:200]
    plan = waiting.explain(analyze=True, buffers=True, format="json")
    [told] = json.loads(plan)
    assert told["Plan"]["Shared Hit Blocks"] + told["Plan"]["Shared Read Blocks"] < 10
    assert told["Plan"]["Actual Rows"] == 2


def statements():
    with CaptureQueriesContext(connection) as captured:
        assert seals.seal_next() > 0
    return len(captured)


def refuses(change):
    try:
        with transaction.atomic():
            change()
    except IntegrityError:
        return True
    return False


@pytest.mark.parametrize(
    "change",
    [
        {"label": 0},
        {"label": None},
        {"seconds": 1.0},
        {"highlighted": True},
        {"number": 99},
        {"submitted_at": None},
    ],
)
def test_a_sealed_answer_cannot_be_changed_even_while_its_pair_is_open(project, change):
    opened = pair(project, 0)
    answers = Judgment.objects.filter(pair=opened)
    Consensus.objects.filter(pair=opened).delete()
    assert not refuses(lambda: answers.update(seconds=3.5))
    cast_consensus(opened)
    seals.seal_waiting()
    Consensus.objects.filter(pair=opened).delete()
    assert refuses(lambda: answers.update(**change))
    assert refuses(lambda: answers._raw_delete(using="default"))
    assert not refuses(lambda: answers.update(person=None, queue_key=None))


def cast_consensus(decided: SentencePair) -> None:
    Consensus.objects.create(pair=decided, tally=[0, 5], label=1, kept=True)


def test_a_seal_cannot_be_changed_nor_deleted(project):
    seals.seal_waiting()
    last = Seal.objects.filter(number=10)
    assert refuses(lambda: last.update(digest=bytes(32)))
    assert refuses(lambda: last.delete())


def test_what_a_pair_came_to_cannot_be_changed(project):
    decided = Consensus.objects.filter(pair=pair(project, 0))
    assert refuses(lambda: decided.update(label=0))
    assert refuses(lambda: decided.update(tally=[5, 0]))
    assert refuses(lambda: decided.update(kept=False))
    assert not refuses(lambda: decided.update(kept=True, decided_at=timezone.now()))


def test_undoing_and_answering_again_comes_before_the_seal(project):
    last = cast.person(project)
    cast.judge_next(last, 1)
    seals.seal_waiting()
    assert judgments.undo(last) is None
    assert is_whole()
