"""Hidden pairs: one in each block of so many, and nothing gives them away."""

import pytest
from django.db import connection

from annotation.errors import Refused
from annotation.models import Consensus, Judgment, Membership
from annotation.services import judgments
from tests.annotation import cast

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
EVERY = 5


@pytest.fixture
def project():
    project = cast.study(known_every=EVERY, seed=3)
    cast.pairs(project, 30)
    return project


def reread(member):
    return Membership.objects.select_related("project", "user").get(pk=member.pk)


def is_hidden(judgment):
    return judgment.pair.known_label is not None


def given(member, number):
    """Whether each of the next pairs was a hidden one."""
    return [is_hidden(cast.judge_next(member)) for _ in range(number)]


def until_hidden(member):
    """Answer until a hidden pair is in hand; returns it."""
    while not is_hidden(slot := judgments.claim(member)):
        cast.judge_next(member)
    return slot


def had(member):
    own = Judgment.objects.filter(annotator=member.user_id, pair__known_label__isnull=False)
    return list(own.exclude(label=None).order_by("number").values_list("pair", "number"))


def test_each_block_holds_exactly_one_at_a_place_that_cannot_be_foreseen(project):
    cast.known_pairs(project, [0, 1] * 4)
    people = [cast.person(project), cast.person(project)]
    seen = [given(member, 5 * EVERY) for member in people]
    for blocks in seen:
        assert [sum(blocks[at : at + EVERY]) for at in range(0, 5 * EVERY, EVERY)] == [1] * 5
        assert len({at % EVERY for at, hidden in enumerate(blocks) if hidden}) > 1
    first, second = ([pair for pair, _ in had(member)] for member in people)
    assert first != second
    assert len(set(first)) == len(set(second)) == 5
    assert judgments.turn(people[0]).tally.total == 5 * EVERY


def test_a_hidden_pair_is_given_once_to_each_person_and_work_goes_on_without_it(project):
    cast.known_pairs(project, [0, 1])
    assert sum(given(cast.person(project), 4 * EVERY)) == 2


def test_a_hidden_pair_takes_any_number_of_answers_and_is_never_decided(project):
    [hidden] = cast.known_pairs(project, [1])
    assert not hidden.judgments.exists()
    for _ in range(6):
        given(cast.person(project), EVERY)
    assert hidden.judgments.exclude(label=None).count() == 6
    assert set(hidden.judgments.values_list("slot", "queue_key")) == {
        (slot, None) for slot in range(1, 7)
    }
    assert not Consensus.objects.filter(pair=hidden).exists()


def test_several_people_and_accounts_may_hold_a_hidden_pair_but_not_one_person_twice(project):
    cast.known_pairs(project, [1])
    alice, bob, again = (cast.person(project) for _ in range(3))
    cast.same_person(alice, again)
    held = [until_hidden(member) for member in (alice, bob)]
    assert held[0] != held[1]
    assert held[0].pair == held[1].pair
    assert [slot.person_id for slot in held] == [alice.user_id, None]
    assert held[0].lease_until is not None is not held[0].claimed_at
    assert sum(given(again, 3 * EVERY)) == 0


def test_an_answer_to_a_hidden_pair_can_be_undone_and_given_again(project):
    cast.known_pairs(project, [1, 1, 1])
    member = cast.person(project)
    until_hidden(member)
    answered = cast.judge_next(member)
    following = judgments.claim(member)
    assert judgments.undo(member) == answered
    assert judgments.claim(member) == answered
    assert cast.judge_next(member, 0).label == 0
    assert judgments.claim(member) == following


def test_undo_of_what_came_before_brings_the_same_hidden_pair_back(project):
    cast.known_pairs(project, [0, 1] * 4)
    member = cast.person(project)
    given(member, EVERY)
    hidden = until_hidden(member)
    before = judgments.undo(member)
    assert not Judgment.objects.filter(pk=hidden.pk).exists()
    assert judgments.claim(reread(member)) == before
    cast.judge_next(member)
    assert judgments.claim(member).pair == hidden.pair
    given(member, 3 * EVERY)
    assert [(number - 1) // EVERY for _, number in had(member)] == list(range(len(had(member))))


def test_the_place_in_a_block_is_drawn_from_the_seed(project):
    cast.known_pairs(project, [0, 1] * 4)
    member = cast.person(project)
    given(member, 1)
    drawn = reread(member).known_after
    judgments.undo(member)
    Membership.objects.filter(pk=member.pk).update(known_after=None)
    Judgment.objects.filter(annotator=member.user_id).update(annotator=None)
    judgments.turn(reread(member))
    assert reread(member).known_after == drawn


def test_a_project_that_begins_with_hidden_pairs_late_gives_one_in_each_whole_block(project):
    cast.known_pairs(project, [0, 1] * 4)
    for every, number in ((None, 12), (EVERY, 3 + 3 * EVERY)):
        project.known_every = every
        project.save()
        if every is None:
            member = cast.person(project)
        seen = given(reread(member), number)
        if every is None:
            assert sum(seen) == 0
    whole = seen[3:]
    assert sum(seen[:3]) == 0
    assert [sum(whole[at : at + EVERY]) for at in range(0, 3 * EVERY, EVERY)] == [1] * 3


def test_a_known_answer_outside_the_scale_is_refused(project):
    for label in (2, -1):
        with pytest.raises(Refused):
            cast.known_pairs(project, [1, label])


def test_a_turn_takes_as_many_statements_with_hidden_pairs(project, django_assert_max_num_queries):
    cast.known_pairs(project, [1] * 8)
    member = cast.person(project)
    for _ in range(2 * EVERY):
        held = judgments.turn(member).held
        with django_assert_max_num_queries(1 if connection.vendor == "postgresql" else 18):
            judgments.answer(member, pair=held.public_id, label=1)
    assert len(had(member)) == 2
