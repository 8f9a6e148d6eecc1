"""Hidden pairs: one in each block of so many, and nothing gives them away."""

import pytest
from django.db import connection

from annotation.errors import Refused
from annotation.models import Consensus, Judgment, Membership
from annotation.services import judgments
from tests.annotation import cast

pytestmark = pytest.mark.django_db

EVERY = 5


@pytest.fixture
def project():
    project = cast.study(known_every=EVERY, seed=3)
    cast.pairs(project, 40)
    return project


def is_hidden(judgment):
    return judgment.pair.known_label is not None


def given(member, number):
    """Whether each of the next pairs was a hidden one."""
    return [is_hidden(cast.judge_next(member)) for _ in range(number)]


def test_each_block_holds_exactly_one(project):
    cast.known_pairs(project, [0, 1] * 4)
    seen = given(cast.person(project), 6 * EVERY)
    assert [sum(seen[at : at + EVERY]) for at in range(0, len(seen), EVERY)] == [1] * 6


def test_where_in_the_block_cannot_be_foreseen(project):
    cast.known_pairs(project, [0, 1] * 4)
    seen = given(cast.person(project), 6 * EVERY)
    places = {at % EVERY for at, hidden in enumerate(seen) if hidden}
    assert len(places) > 1


def test_nobody_is_given_a_hidden_pair_twice_and_work_goes_on_without_them(project):
    cast.known_pairs(project, [0, 1])
    member = cast.person(project)
    assert sum(given(member, 5 * EVERY)) == 2


def test_people_are_given_them_in_different_orders(project):
    made = cast.known_pairs(project, [0, 1] * 4)
    orders = set()
    for _ in range(4):
        member = cast.person(project)
        given(member, 4 * EVERY)
        own = Judgment.objects.filter(annotator=member.user_id, pair__in=made)
        orders.add(tuple(own.order_by("number").values_list("pair", flat=True)))
    assert len(orders) > 1


def test_a_hidden_pair_takes_any_number_of_answers_and_is_never_decided(project):
    cast.known_pairs(project, [1])
    members = [cast.person(project) for _ in range(7)]
    for member in members:
        given(member, EVERY)
    hidden = Judgment.objects.filter(pair__known_label__isnull=False)
    assert hidden.exclude(label=None).count() == 7
    assert not Consensus.objects.filter(pair__known_label__isnull=False).exists()


def test_a_hidden_pair_in_hand_is_nobody_elses(project):
    project.known_every = 2
    project.save()
    cast.known_pairs(project, [1])
    alice, bob = cast.person(project), cast.person(project)
    for member in (alice, bob):
        while not is_hidden(judgments.claim(member)):
            cast.judge_next(member)
    assert judgments.claim(alice) != judgments.claim(bob)
    assert judgments.claim(alice).pair == judgments.claim(bob).pair


def until_hidden(member):
    """Answer until a hidden pair is in hand; returns it."""
    while not is_hidden(slot := judgments.claim(member)):
        cast.judge_next(member)
    return slot


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
    for _ in range(EVERY):
        cast.judge_next(member)
    hidden = until_hidden(member)
    before = judgments.undo(member)
    assert judgments.claim(member) == before
    cast.judge_next(member)
    assert judgments.claim(member).pair == hidden.pair
    given(member, 3 * EVERY)
    numbers = Judgment.objects.filter(
        annotator=member.user_id, pair__known_label__isnull=False
    ).values_list("number", flat=True)
    blocks = sorted((number - 1) // EVERY for number in numbers if number)
    assert blocks == list(range(len(blocks)))


def test_the_tally_counts_a_hidden_pair_as_any_other(project):
    cast.known_pairs(project, [1] * 4)
    member = cast.person(project)
    given(member, 2 * EVERY)
    assert judgments.turn(member).tally.total == 2 * EVERY


def test_the_same_seed_draws_the_same_places(project):
    cast.known_pairs(project, [0, 1] * 4)
    member = cast.person(project)
    given(member, 1)
    drawn = Membership.objects.get(pk=member.pk).known_after
    Membership.objects.filter(pk=member.pk).update(known_after=None)
    judgments.undo(member)
    again = Membership.objects.select_related("project", "user").get(pk=member.pk)
    Judgment.objects.filter(annotator=member.user_id).update(annotator=None)
    judgments.turn(again)
    assert again.known_after == drawn


def test_a_project_that_begins_with_hidden_pairs_late_gives_one_at_a_time(project):
    cast.known_pairs(project, [0, 1] * 4)
    project.known_every = None
    project.save()
    member = cast.person(project)
    assert sum(given(member, 12)) == 0
    project.known_every = EVERY
    project.save()
    again = Membership.objects.select_related("project", "user").get(pk=member.pk)
    seen = given(again, 1 + 3 * EVERY)
    assert 2 <= sum(seen) <= 3


def test_a_known_answer_outside_the_scale_is_refused(project):
    with pytest.raises(Refused):
        cast.known_pairs(project, [2])


def test_hidden_pairs_have_no_slots_before_somebody_comes_by(project):
    made = cast.known_pairs(project, [1])
    assert not Judgment.objects.filter(pair__in=made).exists()


@pytest.mark.parametrize("hidden", [False, True])
def test_a_turn_costs_the_same_statements_when_a_hidden_pair_is_given(
    project, hidden, django_assert_max_num_queries
):
    if hidden:
        cast.known_pairs(project, [1] * 8)
    member = cast.person(project)
    for _ in range(2 * EVERY):
        held = judgments.turn(member).held
        with django_assert_max_num_queries(1 if connection.vendor == "postgresql" else 18):
            judgments.answer(member, pair=held.public_id, label=1)
