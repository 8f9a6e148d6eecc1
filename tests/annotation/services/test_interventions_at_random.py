"""Whatever is answered, undone, held out, put back and reopened, in any order."""

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.errors import Refused
from annotation.models import Consensus, Judgment
from annotation.services import interventions, judgments, rounds
from tests.annotation import cast
from tests.annotation.services import invariants
from tests.annotation.services.small_study import study

pytestmark = [pytest.mark.django_db, pytest.mark.both_engines]
PEOPLE = 6
PLAIN = {"judgments_per_pair": 2, "consensus_min_votes": 2}
EARLY = {"judgments_per_pair": 3, "consensus_min_votes": 2, "decides_early": True}

person = st.integers(0, PEOPLE - 1)
answer = st.tuples(st.just("answer"), person, st.integers(0, 1))
STEPS = ["hold_out", "reinstate", "undo", "there_and_back", "reopen"]
step = st.tuples(st.sampled_from(STEPS), person)


def stored(project):
    """The whole study, but for which step holds an answer out and the time of each decision."""
    slots = Judgment.objects.filter(project=project).order_by("pk").values()
    decided = Consensus.objects.filter(pair__project=project).order_by("pair")
    return (
        [slot | {"held_out_id": slot["held_out_id"] is not None} for slot in slots],
        list(project.pairs.order_by("pk").values()),
        list(decided.values("pair", "tally", "label", "kept")),
    )


def act(member, what, label=0):
    """One step; where there is nothing to do, nothing is done."""
    if what == "answer" and judgments.claim(member) is not None:
        cast.judge_next(member, label)
    elif what == "undo":
        judgments.undo(member)
    elif what == "reopen":
        pairs = list(member.project.pairs.values_list("public_id", flat=True))
        rounds.reopen(member.project, pairs, by=member.user)
    elif what in ("hold_out", "reinstate"):
        with suppress(Refused):
            getattr(interventions, what)(member, by=None, reason="We shall see.")
    elif what == "there_and_back" and not member.interventions.filter(kind="hold_out").exists():
        before = stored(member.project)
        act(member, "hold_out")
        act(member, "reinstate")
        assert stored(member.project) == before


@pytest.mark.parametrize("order", ["depth", "breadth"])
@pytest.mark.parametrize("protocol", [PLAIN, EARLY], ids=["plain", "early"])
@settings(max_examples=settings().max_examples // 5)  # each example is a study of its own
@given(steps=st.lists(st.one_of(answer, answer, step), max_size=30))
def test_no_order_of_steps_breaks_a_study(order, protocol, steps):
    project, people = study(2, people=PEOPLE, order=order, **protocol)
    for what, who, *label in steps:
        act(people[who], what, *label)
        assert invariants.broken(project) == []
