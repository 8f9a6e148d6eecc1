"""Whatever is answered, undone, held out, put back and asked anew, in any order."""

import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.errors import Refused
from annotation.models import Consensus, Judgment, Membership, Project, SentencePair
from annotation.services import interventions, judgments, rounds
from tests.annotation import cast
from tests.annotation.services import invariants

pytestmark = pytest.mark.django_db
PEOPLE = 6

person = st.integers(0, PEOPLE - 1)
answer = st.tuples(st.just("answer"), person, st.integers(0, 1))
STEPS = ["hold_out", "reinstate", "undo", "there_and_back", "reopen"]
step = st.tuples(st.sampled_from(STEPS), person)
steps = st.lists(st.one_of(answer, answer, step), max_size=30)


def rows(project: Project) -> dict[str, object]:
    """The whole study, but for which step holds an answer out and the time of each decision."""
    slots = Judgment.objects.filter(project=project).order_by("pk").values()
    return {
        "slots": [slot | {"held_out_id": slot["held_out_id"] is not None} for slot in slots],
        "pairs": list(SentencePair.objects.filter(project=project).order_by("pk").values()),
        "decided": list(
            Consensus.objects.filter(pair__project=project)
            .order_by("pk")
            .values("pk", "tally", "label", "kept")
        ),
    }


def act(member: Membership, what: str, label: int = 0) -> None:
    """One step; where there is nothing to do, nothing is done."""
    if what == "answer":
        if judgments.claim(member) is not None:
            cast.judge_next(member, label)
    elif what == "undo":
        judgments.undo(member)
    elif what == "there_and_back":
        there_and_back(member)
    elif what == "reopen":
        rounds.reopen(member.project, every_pair(member.project), by=member.user)
    else:
        try:
            getattr(interventions, what)(member, by=None, reason="We shall see.")
        except Refused:
            return


def every_pair(project: Project) -> list[uuid.UUID]:
    return list(project.pairs.values_list("public_id", flat=True))


def there_and_back(member: Membership) -> None:
    """Hold out and put back with no work in between."""
    if member.interventions.exists() and member.interventions.last().kind == "hold_out":
        return
    before = rows(member.project)
    act(member, "hold_out")
    act(member, "reinstate")
    assert rows(member.project) == before


@pytest.mark.parametrize("order", ["depth", "breadth"])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_no_order_of_steps_breaks_a_study(order, steps):
    go(cast.study(order=order, judgments_per_pair=2, consensus_min_votes=2), steps)


@pytest.mark.parametrize("order", ["depth", "breadth"])
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_no_order_of_steps_breaks_a_study_that_decides_early(order, steps):
    protocol = {"judgments_per_pair": 3, "consensus_min_votes": 2, "decides_early": True}
    go(cast.study(order=order, **protocol), steps)


def go(project, steps):
    """Take the steps, and look after each."""
    cast.pairs(project, 2)
    people = [cast.person(project) for _ in range(PEOPLE)]
    for what, who, *label in steps:
        act(people[who], what, *label)
        assert invariants.broken(project) == []
