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


@pytest.fixture(scope="module")
def project(module_db):
    """Three pairs: one all agree on, one they do not agree on, and one that lacks an answer."""
    project = cast.study()
    members = judged.people(project, 5)
    judged.pairs(project, [[1] * 5, [1, 1, 1, 0, 0], [1] * 4], by=members)
    return project


def pair(project, number):
    return project.pairs.order_by("pk")[number]


def user(project, number):
    return project.memberships.order_by("pk")[number].user


def is_whole():
    return not list(chain.broken()) and not list(chain.added())


def judge_all(project, people):
    for _ in range(people):
        cast.judge_all(cast.person(project), 1)


def refuses(change):
    try:
        with transaction.atomic():
            change()
    except IntegrityError:
        return True
    return False


@pytest.mark.both_engines
def test_answers_of_decided_pairs_are_sealed_once_and_the_chain_continues(project):
    decided = {pair(project, 0).pk, pair(project, 1).pk}
    assert seals.seal_waiting() == 2
    assert set(Seal.objects.values_list("judgment__pair", flat=True)) == decided
    assert sorted(Seal.objects.values_list("number", flat=True)) == list(range(1, 11))
    first = chain.head()
    assert seals.seal_waiting() == 0
    assert chain.head() == first
    last = cast.person(project)
    cast.judge_next(last)
    assert seals.seal_waiting() == 1
    assert (chain.head().number, chain.digest_at(10)) == (15, first.digest)
    assert judgments.undo(last) is None
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
    manager, member = user(project, 1), project.memberships.order_by("pk")[0]
    interventions.hold_out(member, by=manager, reason="These look like guesses.")
    assert is_whole()
    judge_all(project, 3)
    assert seals.seal_waiting() > 0
    assert is_whole()
    interventions.reinstate(member, by=manager, reason="They were not.")
    assert seals.seal_waiting() > 0
    assert is_whole()
    assert Seal.objects.count() == Judgment.objects.filter(label__isnull=False).count()


@pytest.mark.parametrize("sealed_before", [True, False])
def test_a_reopened_pair_is_sealed_with_both_rounds(project, sealed_before):
    asked = pair(project, 1)
    of_asked = Seal.objects.filter(judgment__pair=asked)
    if sealed_before:
        seals.seal_waiting()
    rounds.reopen(project, [asked.public_id], by=user(project, 0))
    seals.seal_waiting()
    assert of_asked.count() == (5 if sealed_before else 0)
    judge_all(project, 5)
    seals.seal_waiting()
    assert is_whole()
    assert of_asked.count() == 10


def test_what_lawfully_happens_to_sealed_answers_breaks_no_seal(project, subtests):
    decided, people = pair(project, 0), [user(project, number) for number in range(3)]

    def number_slots_of_an_open_pair_again():
        Consensus.objects.filter(pair=decided).delete()
        SentencePair.objects.filter(pk=decided.pk).update(slots=6)
        Judgment.objects.filter(pair=decided, slot=5).update(slot=6)

    def recompute():
        SentencePair.objects.filter(pk=decided.pk).update(slots=5)
        Judgment.objects.filter(pair=decided, slot=6).update(slot=5)
        call_command("recompute_consensus", project=project.name)
        assert Consensus.objects.filter(pair=decided).exists()

    seals.seal_waiting()
    for step in (
        number_slots_of_an_open_pair_again,
        recompute,
        lambda: same_person.mark(people[1], people[2]),
        lambda: erasure.erase(people[0], by=None),
    ):
        with subtests.test(step=step.__name__):
            step()
            assert is_whole()


def test_a_number_that_another_process_took_meanwhile_leaves_nothing_to_do(project, monkeypatch):
    answer = Judgment.objects.filter(pair=pair(project, 1)).first()
    taken = Seal(number=1, judgment=answer, digest=bytes(32))

    def append():
        if taken._state.adding:
            taken.save(force_insert=True)
        raise IntegrityError

    monkeypatch.setattr(seals, "_append", append)
    assert seals.seal_next() == 0
    assert chain.head().number == 1
    with pytest.raises(IntegrityError):  # this time no other process has appended
        seals.seal_next()


def test_sealing_takes_as_many_statements_for_many_pairs_as_for_few(project):
    def statements():
        with CaptureQueriesContext(connection) as captured:
            seals.seal_next()
        return len(captured)

    few = statements()
    assert statements() == 1  # nothing waits
    judged.pairs(project, [[1] * 5] * 40, by=judged.people(project, 5))
    assert statements() == few <= 12


MANY = """
INSERT INTO annotation_consensus (pair_id, tally, label, kept, decided_at, sealed_at)
SELECT -n, '[0, 5]', 1, true, now() - n * interval '1 second', now()
FROM generate_series(1, 100000) n"""


@pytest.mark.both_engines
def test_looking_for_pairs_reads_an_index_of_those_that_wait(db):
    assert "consensus_not_sealed" in chain.waiting().values("pair")[:200].explain()


@pytest.mark.postgres
def test_with_100_000_sealed_pairs_it_reads_a_handful_of_pages(project):
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(MANY)
        cursor.execute("SET LOCAL session_replication_role = origin")
        for statistics in ("SELECT 1", "ANALYZE annotation_consensus"):  # none, then up to date
            cursor.execute(statistics)
            waiting = chain.waiting().values("pair")[:200]
            [found] = json.loads(waiting.explain(analyze=True, buffers=True, format="json"))
            plan = found["Plan"]
            assert plan["Shared Hit Blocks"] + plan["Shared Read Blocks"] < 10, statistics
            assert plan["Actual Rows"] == 2


@pytest.mark.both_engines
def test_a_sealed_answer_cannot_be_changed_even_while_its_pair_is_open(project, subtests):
    decided = pair(project, 0)
    answers = Judgment.objects.filter(pair=decided)
    Consensus.objects.filter(pair=decided).delete()
    assert not refuses(lambda: answers.update(seconds=3.5))
    Consensus.objects.create(pair=decided, tally=[0, 5], label=1, kept=True)
    seals.seal_waiting()
    Consensus.objects.filter(pair=decided).delete()
    for change in (
        {"label": 0},
        {"label": None},
        {"seconds": 1.0},
        {"highlighted": True},
        {"number": 99},
        {"submitted_at": None},
    ):
        with subtests.test(change=change):
            assert refuses(lambda change=change: answers.update(**change))
    assert refuses(lambda: answers._raw_delete(using="default"))
    assert not refuses(lambda: answers.update(person=None, queue_key=None))


@pytest.mark.both_engines
def test_a_seal_and_what_a_pair_came_to_cannot_be_changed(project):
    seals.seal_waiting()
    last = Seal.objects.filter(number=10)
    assert refuses(lambda: last.update(digest=bytes(32)))
    assert refuses(lambda: last.delete())
    decided = Consensus.objects.filter(pair=pair(project, 0))
    for change in ({"label": 0}, {"tally": [5, 0]}, {"kept": False}):
        assert refuses(lambda change=change: decided.update(**change)), change
    assert not refuses(lambda: decided.update(kept=True, decided_at=timezone.now()))
