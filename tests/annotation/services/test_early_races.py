"""People who answer while others decide the pair: real processes, both engines, a control."""

import json

import pytest

from tests.services.installation import Installation

CODE = "from tests.annotation.services import early; early.{call}"


def outcome(installation: Installation, call: str) -> dict[str, object]:
    printed = installation.run(CODE.format(call=call), timeout=300)
    return json.loads(printed.splitlines()[-1])


def test_no_answer_is_lost_and_no_pair_decided_wrongly(installation):
    told = outcome(installation, "judge(people=12, pairs=40)")
    assert (told["broken"], told["lost"], told["errors"]) == ([], 0, [])
    assert told["early"]


def test_neither_while_others_are_asked_anew(installation):
    told = outcome(installation, "judge(people=12, pairs=25, reopens=2)")
    assert (told["broken"], told["lost"], told["errors"]) == ([], 0, [])


@pytest.mark.parametrize("engine", ["sqlite"])
def test_control_without_transaction_and_triggers_the_promise_breaks(installation):
    told = outcome(installation, "judge(people=12, pairs=80, guarded=False)")
    assert told["broken"] or told["lost"] or told["errors"]


@pytest.mark.parametrize("engine", ["postgres"])
def test_an_answer_on_its_way_to_disk_is_waited_for(installation):
    assert outcome(installation, "meet()") == {"lost": False, "broken": []}


@pytest.mark.parametrize("engine", ["postgres"])
def test_control_without_locks_an_answer_on_its_way_to_disk_is_lost(installation):
    assert outcome(installation, "meet(guarded=False)")["lost"]
