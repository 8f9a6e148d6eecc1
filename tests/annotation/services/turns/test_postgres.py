"""A turn is one statement, and what it reads does not grow: Postgres itself counts the pages."""

import pytest
from django.db import IntegrityError, OperationalError, connection
from django.utils import timezone

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


def forget_the_dead() -> None:
    """As autovacuum does. Searches do it too, but not while any other test is in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM annotation_judgment")


def test_a_judgment_reads_as_little_after_hundreds_as_at_first() -> None:
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


def test_what_others_have_answered_is_not_walked_through() -> None:
    project = cast.study(judgments_per_pair=1, consensus_min_votes=1)
    cast.pairs(project, 250)
    at_first = buffers(cast.person(project))
    veteran = cast.person(project)
    for _ in range(200):
        held = judgments.turn(veteran).held
        judgments.answer(veteran, pair=held.public_id, label=1)
    forget_the_dead()
    assert buffers(cast.person(project)) <= at_first * 2


def test_the_last_answer_of_a_pair_takes_one_statement_more(django_assert_num_queries) -> None:
    project = cast.study(judgments_per_pair=2, consensus_min_votes=1)
    cast.pairs(project, 2)
    for statements in (1, 2):
        member = cast.person(project)
        held = judgments.turn(member).held
        with django_assert_num_queries(statements):
            judgments.answer(member, pair=held.public_id, label=1)
    assert Consensus.objects.get().tally == [0, 2]


def test_a_pair_is_not_decided_on_labels_that_are_no_longer_its_own() -> None:
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


def test_a_turn_that_others_disturb_for_ever_ends(monkeypatch) -> None:
    project = cast.study()
    cast.pairs(project, 1)
    monkeypatch.setattr(postgres, "TRIES", 0)
    with pytest.raises(OperationalError):
        judgments.turn(cast.person(project))


def outrun(monkeypatch, outcome) -> None:
    """Let the first try of a turn end as when others change the same rows at that moment."""
    executed, outcomes = postgres._executed, [outcome]
    monkeypatch.setattr(
        postgres,
        "_executed",
        lambda *asked: outcomes.pop()(asked[0]) if outcomes else executed(*asked),
    )


def test_a_turn_whose_slot_another_tab_took_is_taken_again(monkeypatch) -> None:
    project = cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)

    def refused(question):
        raise IntegrityError("unique_judgment_held")

    outrun(monkeypatch, refused)
    assert judgments.claim(alice).annotator == alice.user


def test_a_turn_whose_slot_was_gone_is_taken_again(monkeypatch) -> None:
    project = cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)
    nothing = postgres._Row(*[None] * len(postgres._Row._fields))
    outrun(monkeypatch, lambda question: nothing._replace(lost=True))
    assert judgments.claim(alice).annotator == alice.user


def test_a_held_pair_stays_claimed_since_it_was_claimed() -> None:
    project = cast.study()
    cast.pairs(project, 1)
    alice = cast.person(project)
    claimed_at = judgments.claim(alice).claimed_at
    again = judgments.claim(alice)
    assert again.claimed_at == claimed_at
    assert again.lease_until > timezone.now()


def test_an_empty_answer_reads_as_little_however_much_is_behind() -> None:
    project = cast.study()
    cast.pairs(project, 300)
    alice = cast.person(project)
    end = Judgment.objects.latest("queue_key").queue_key
    recused = [Recusal(pair=pair, annotator=alice.user) for pair in project.pairs.all()]
    Recusal.objects.bulk_create(recused)
    Membership.objects.filter(pk=alice.pk).update(judgment_place=end)
    alice.refresh_from_db()
    looking = buffers(alice)
    again = least_buffers(alice)
    assert alice.looked_behind_at is not None
    assert looking > 1000
    assert again < 60


def test_who_has_found_nothing_ahead_does_not_walk_through_it_again() -> None:
    project = cast.study()
    cast.pairs(project, 300)
    alice = cast.person(project)
    recused = [Recusal(pair=pair, annotator=alice.user) for pair in project.pairs.all()]
    Recusal.objects.bulk_create(recused)
    assert buffers(alice) > 1000
    assert least_buffers(alice) < 60


def test_a_hidden_pair_reads_as_little_among_many_as_among_few() -> None:
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


def test_one_plan_serves_all_answers() -> None:
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
