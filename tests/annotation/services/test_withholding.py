"""Answers are held out and put back while people judge, in real processes, on both engines.

What breaks without guards breaks here only sometimes: test_meeting.py makes it happen each time.
"""

import json

from tests.services.installation import Installation

CODE = "from tests.annotation.services import withholding; withholding.{call}"


def outcome(installation: Installation, call: str) -> dict[str, object]:
    printed = installation.run(CODE.format(call=call), timeout=300)
    return json.loads(printed.splitlines()[-1])


def test_twelve_people_judge_while_answers_are_held_out_and_put_back(installation):
    told = outcome(installation, "hold_out(people=12, pairs=40, steps=12)")
    assert (told["broken"], told["errors"]) == ([], [])
    assert told["steps"] >= 4


def test_two_accounts_of_one_person_never_share_a_pair(installation):
    assert outcome(installation, "share(people=6, pairs=30, marked=True)") == {
        "shared": 0,
        "errors": [],
    }


def test_control_two_accounts_that_are_not_marked_share_pairs(installation):
    """All pairs: of five accounts, each has to judge each."""
    assert outcome(installation, "share(people=5, pairs=30, marked=False)")["shared"] == 30
