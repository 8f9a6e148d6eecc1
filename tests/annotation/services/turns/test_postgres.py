"""A turn is one statement, and what it reads does not grow: Postgres itself counts the pages."""

import pytest
from django.db import IntegrityError, OperationalError, connection

from annotation.models import Consensus, Judgment, Membership, Recusal
from annotation.services import judgments, turns
from annotation.services.turns import Answer, postgres
from tests.annotation import cast

pytestmark = [
    pytest.mark.django_db(transaction=True),  # what is dead can be forgotten only once committed
    pytest.mark.postgres,
]


def buffers(member: Membership, answer: Answer | None = None) -> int:
    """Pages that a turn reads, from memory or from disk; the turn is really taken."""
    question = turns.question_of(member, answer)
    with connection.cursor() as cursor:
        cursor.execute(
            f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {postgres.statement_for(question)}",
            postgres.parameters(question),
        )
        [[plan]] = cursor.fetchone()
    member.refresh_from_db()
    return plan["Plan"]["Shared Hit Blocks"] + plan["Plan"]["Shared Read Blocks"]


def least_buffers(member: Membership) -> int:
    """Of a few turns that find nothing: what the server does besides can only add to one."""
    return min(buffers(member) for _ in range(3))


def judge_and_count(member: Membership) -> int:
    """Buffers of one judgment with the claim of the next pair."""
    held = judgments.turn(member).held
    return buffers(member, Answer(held.public_id, 1, 2.5))


def forget_the_dead():
    """As autovacuum does. Searches do it too, but not while any other test is in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM annotation_judgment")


def test_a_judgment_reads_as_little_after_hundreds_as_at_first():
    project = cast.study()
    cast.pairs(project, 320)
    newcomer, veteran = cast.person(project), cast.person(project)
    for _ in range(300):
        held = judgments.turn(veteran).held
        judgments.answer(veteran, pair=held.public_id, label=1)
    forget_the_dead()
    at_first = judge_and_count(newcomer)
    assert judge_and_count(veteran) <= at_first * 1.3
    assert at_first < 200


def test_what_others_have_answered_is_not_walked_through():
    project = cast.study(judgments_per_pair=1, consensus_min_votes=1)
    cast.pairs(project, 250)
    at_first = buffers(cast.person(project))
    veteran = cast.person(project)
    for _ in range(200):
        held = judgments.turn(veteran).held
        judgments.answer(veteran, pair=held.public_id, label=1)
    forget_the_dead()
    assert buffers(cast.person(project)) <= at_first * 2


def test_an_answer_is_one_statement_and_two_when_it_is_the_last_of_its_pair(
    django_assert_num_queries,
):
    two_each = {"judgments_per_pair": 2, "consensus_min_votes": 1}
    early = {"decides_early": True}
    for settings, statements in (
        (two_each, (1, 2)),
        (early | {"order": "depth"}, (1, 1, 1, 2)),
        (early | {"order": "breadth"}, (1, 1, 1, 2)),
    ):
        project = cast.study(**settings)
        cast.pairs(project, 1)
        for number in statements:
            member = cast.person(project)
            held = judgments.turn(member).held
            with django_assert_num_queries(number):
                judgments.answer(member, pair=held.public_id, label=1)
        assert Consensus.objects.get(pair__project=project).tally == [0, len(statements)]


def test_a_pair_is_not_decided_on_labels_that_are_no_longer_its_own():
    project = cast.study(judgments_per_pair=2, consensus_min_votes=1)
    cast.pairs(project, 1)
    cast.judge_all(cast.person(project), 1)
    member = cast.person(project)
    answer = Answer(judgments.turn(member).held.public_id, 1)
    question = turns.question_of(member, answer)
    with connection.cursor() as cursor:
        cursor.execute(postgres.statement_for(question), postgres.parameters(question, others=[0]))
    assert not Consensus.objects.exists()
    assert Judgment.objects.get(annotator=member.user_id).label is None


def test_a_turn_that_others_disturb_for_ever_ends(monkeypatch):
    project = cast.study()
    cast.pairs(project, 1)
    monkeypatch.setattr(postgres, "TRIES", 0)
    with pytest.raises(OperationalError):
        judgments.turn(cast.person(project))


def outrun(monkeypatch, outcome):
    """Let the first try of a turn end as when others change the same rows at that moment."""
    executed, outcomes = postgres._executed, [outcome]
    monkeypatch.setattr(
        postgres,
        "_executed",
        lambda *asked: outcomes.pop()(asked[0]) if outcomes else executed(*asked),
    )


def test_a_turn_whose_slot_another_tab_or_person_took_is_taken_again(monkeypatch):
    def refused(question):
        raise IntegrityError("unique_judgment_held")

    nothing = postgres._Row(*[None] * len(postgres._Row._fields))
    for first_try in (refused, lambda question: nothing._replace(lost=True)):
        project = cast.study()
        cast.pairs(project, 1)
        alice = cast.person(project)
        outrun(monkeypatch, first_try)
        assert judgments.claim(alice).annotator == alice.user


def recused_from_all():
    """Someone for whom nothing is left of many pairs."""
    project = cast.study()
    cast.pairs(project, 300)
    alice = cast.person(project)
    recused = [Recusal(pair=pair, annotator=alice.user) for pair in project.pairs.all()]
    Recusal.objects.bulk_create(recused)
    return alice


def test_who_has_found_nothing_ahead_or_behind_does_not_walk_through_it_again():
    for is_ahead in (True, False):
        alice = recused_from_all()
        if not is_ahead:
            end = Judgment.objects.latest("queue_key").queue_key
            Membership.objects.filter(pk=alice.pk).update(judgment_place=end)
            alice.refresh_from_db()
        assert buffers(alice) > 1000
        assert alice.looked_behind_at is not None
        assert least_buffers(alice) < 60


def test_a_hidden_pair_reads_as_little_among_many_as_among_few():
    costs = []
    for hidden in (2, 60):
        project = cast.study(known_every=2)
        cast.pairs(project, 20)
        cast.known_pairs(project, [1] * hidden)
        alice = cast.person(project)
        judgments.turn(alice)
        given = []
        for _ in range(4):
            cost = judge_and_count(alice)
            if Judgment.objects.filter(annotator=alice.user_id, label=None, queue_key=None):
                given.append(cost)
        costs.append(max(given))
    assert costs[1] <= costs[0] * 1.2


def test_one_plan_serves_all_answers():
    project = cast.study()
    cast.pairs(project, 30)
    alice = cast.person(project)
    for _ in range(25):
        held = judgments.turn(alice).held
        judgments.answer(alice, pair=held.public_id, label=1)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT max(generic_plans), max(custom_plans) FROM pg_prepared_statements "
            "WHERE statement LIKE 'WITH asked AS%%'"
        )
        [generic, custom] = cursor.fetchone()
    assert generic > 10
    assert custom <= 5
