"""A turn is one statement, and what it reads does not grow: Postgres itself counts the pages."""

import pytest
from django.db import IntegrityError, OperationalError, connection

from annotation.models import Consensus, Judgment
from annotation.services import judgments, turns
from annotation.services.turns import Answer, postgres
from tests.annotation.services.small_study import judge, study

pytestmark = [
    pytest.mark.django_db(transaction=True),  # what is dead can be forgotten only once committed
    pytest.mark.postgres,
]


def pages(member):
    """How many pages a judgment with the claim of the next pair reads, from memory or disk."""
    question = turns.question_of(member, Answer(judgments.turn(member).held.public_id, 1, 2.5))
    statement = f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {postgres.statement_for(question)}"
    with connection.cursor() as cursor:
        cursor.execute(statement, postgres.parameters(question))
        [[plan]] = cursor.fetchone()
    return plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]


def test_a_turn_reads_as_little_after_hundreds_of_answers_as_at_first():
    _, [newcomer, veteran] = study(320, people=2)
    for _ in range(300):
        judgments.answer(veteran, pair=judgments.turn(veteran).held.public_id, label=1)
    with connection.cursor() as cursor:  # as autovacuum does; so do searches, but not while any
        cursor.execute("VACUUM annotation_judgment")  # other test is in a transaction
    at_first = pages(newcomer)
    assert pages(veteran) <= at_first * 1.3
    assert at_first < 200


def test_an_answer_is_one_statement_and_two_when_it_decides(django_assert_num_queries):
    early = {"decides_early": True}
    for settings, statements in (
        ({"judgments_per_pair": 2, "consensus_min_votes": 1}, (1, 2)),
        (early | {"order": "depth"}, (1, 1, 1, 2)),
        (early | {"order": "breadth"}, (1, 1, 1, 2)),
    ):
        project, people = study(1, people=len(statements), **settings)
        for member, number in zip(people, statements, strict=True):
            held = judgments.turn(member).held
            with django_assert_num_queries(number):
                judgments.answer(member, pair=held.public_id, label=1)
        assert Consensus.objects.get(pair__project=project).tally == [0, len(statements)]


def test_a_pair_is_not_decided_on_labels_that_are_no_longer_its_own():
    project, [last] = study(1, people=1, judgments_per_pair=2, consensus_min_votes=1)
    judge(project, 1)
    question = turns.question_of(last, Answer(judgments.turn(last).held.public_id, 1))
    with connection.cursor() as cursor:
        cursor.execute(postgres.statement_for(question), postgres.parameters(question, others=[0]))
    assert not Consensus.objects.exists()
    assert Judgment.objects.get(annotator=last.user_id).label is None


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
        judgments.turn(alice)
    assert len(times) == postgres.TRIES
    tries = iter([disturbed] * (postgres.TRIES - 1))
    monkeypatch.setattr(postgres, "_executed", lambda *asked: next(tries, executed)(*asked))
    assert judgments.claim(alice).annotator == alice.user
