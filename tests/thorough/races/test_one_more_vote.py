"""Many processes judge pairs of which more people are asked until enough agree."""

import random
import time
from functools import partial
from unittest import mock

import pytest

from annotation.models import Consensus, Judgment
from annotation.work import judge_postgres
from tests.annotation import invariants, make
from tests.annotation.small_study import reread, study
from tests.thorough.races.at_once import LONG, at_once, outcome

MORE = {"judgments_per_pair": 3, "consensus_min_votes": 3, "judgments_at_most": 7}
ERROR = 0.08


def judge(*, people, pairs, guarded=True):
    """People judge until every pair is decided, or nothing happens any more."""
    project, members = study(pairs, people, **MORE)
    _, met = at_once([partial(judge_all, member, guarded=guarded) for member in members])
    decided = list(Consensus.objects.filter(pair__project=project).values_list("tally", "kept"))
    kept = [tally for tally, is_kept in decided if is_kept]
    return {
        "met": met,
        "broken": len(invariants.broken(project)),
        "most": max(sum(tally) for tally, _ in decided),
        "undecided": pairs - len(decided),
        "votes": sum(sum(tally) for tally, _ in decided) / len(decided),
        "kept": len(kept) / len(decided),
        "right": sum(right > wrong for wrong, right in kept) / len(kept),
    }


def judge_all(member, *, guarded):
    member, statement = reread(member), judge_postgres.statement

    def without_locks(*left_out):
        return statement(*left_out).replace("ORDER BY number FOR UPDATE", "ORDER BY number", 1)

    used = statement if guarded else without_locks
    with mock.patch.object(judge_postgres, "statement", used):
        idle_since = time.monotonic()
        while is_going_on(member.project, idle_since):
            turn = make.turn(member)
            while turn.shown:
                label = int(random.Random(f"{member.pk} {turn.shown.id}").random() >= ERROR)
                turn = make.turn(member, item=turn.shown.id, label=label)
                idle_since = time.monotonic()
            time.sleep(0.1)


def is_going_on(project, idle_since):
    """Whether a pair may still need somebody who has nothing to do just now."""
    slots = Judgment.objects.filter(project=project, submitted_at=None)
    return slots.exists() and time.monotonic() - idle_since < LONG


@pytest.mark.parametrize("engine", ["postgres"])
def test_no_pair_gets_too_many_or_too_few_votes_and_none_waits_forever(installation):
    result = outcome(installation, judge, people=32, pairs=2000)
    assert {name: result[name] for name in ("met", "broken", "undecided")} == {
        "met": [],
        "broken": 0,
        "undecided": 0,
    }
    assert result["most"] == 7
    figures = (result["votes"], result["kept"], result["right"])
    assert figures == pytest.approx((3.54, 0.989, 0.9993), rel=0.01)


@pytest.mark.parametrize("engine", ["postgres"])
def test_control_without_locks_two_last_answers_leave_a_pair_waiting(installation):
    assert outcome(installation, judge, people=12, pairs=60, guarded=False)["broken"] > 0
