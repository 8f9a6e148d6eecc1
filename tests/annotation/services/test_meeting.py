"""An answer comes in the middle of a manager's step, on both engines; a control for each guard."""

import json

import pytest

from tests.services.installation import Installation

CODE = "from tests.annotation.services import meeting; meeting.{call}"
UNDISTURBED: dict[str, object] = {"waits": 1, "said": "stored", "kept": True, "broken": []}


def outcome(installation: Installation, call: str) -> dict[str, object]:
    printed = installation.run(CODE.format(call=call), timeout=120)
    return json.loads(printed.splitlines()[-1])


def test_an_answer_whose_slot_goes_waits_and_is_refused(installation):
    refused = UNDISTURBED | {"said": "not held", "kept": False}
    assert outcome(installation, "put_back()") == refused


@pytest.mark.parametrize(("engine", "guard"), [("sqlite", "transaction"), ("postgres", "locks")])
def test_control_without_guard_an_answer_that_was_stored_is_lost(installation, guard):
    lost = UNDISTURBED | {"waits": 0, "kept": False}
    assert outcome(installation, f"put_back(without={guard!r})") == lost


def test_an_answer_waits_until_another_is_wholly_held_out(installation):
    assert outcome(installation, "hold_out()") == UNDISTURBED


def test_control_without_transaction_a_pair_is_decided_that_lacks_an_answer(installation):
    decided = UNDISTURBED | {"waits": 0, "broken": ["pair 1: decided with [1, 1, 1, 1]"]}
    assert outcome(installation, "hold_out(without='transaction')") == decided


@pytest.mark.parametrize("engine", ["postgres"])
def test_an_answer_that_has_waited_twice_decides_nothing(installation):
    """On SQLite a turn is not made of two statements that others can come between."""
    assert outcome(installation, "hold_out_again()") == UNDISTURBED | {"waits": 2}


@pytest.mark.parametrize("engine", ["postgres"])
def test_control_without_triggers_it_decides_a_pair_that_lacks_an_answer(installation):
    decided = UNDISTURBED | {"waits": 2, "broken": ["pair 1: decided with [1, 1, 1, 1]"]}
    assert outcome(installation, "hold_out_again(without='triggers')") == decided
