"""Real processes that come in at the same moment, on both engines, and a control for each guard."""

import json
from typing import Any

from tests.services.installation import Installation

CROWD = "from tests.annotation.services import newcomers; newcomers.{what}"


def outcome(installation: Installation, what: str) -> dict[str, Any]:
    printed = installation.run(CROWD.format(what=what), timeout=300)
    return json.loads(printed.splitlines()[-1])


def test_no_more_come_in_than_an_invitation_is_for(installation):
    found = outcome(installation, "join(most_people=5, newcomers=20)")
    assert found == {"joined": 5, "met": ["Closed"] * 15}


def test_two_tabs_of_one_person_are_one_place(installation):
    found = outcome(installation, "join(most_people=4, newcomers=4, tabs=3)")
    assert found == {"joined": 4, "met": []}


def test_control_without_its_lock_an_invitation_lets_too_many_in(installation):
    found = outcome(installation, "join(most_people=1, newcomers=8, guarded=False)")
    assert found["joined"] > 1, found


def test_of_managers_who_all_step_down_at_once_one_stays(installation):
    found = outcome(installation, "step_down(managers=8)")
    assert found == {"managers": 1, "met": ["Refused"]}


def test_control_without_their_lock_no_manager_stays(installation):
    found = outcome(installation, "step_down(managers=8, guarded=False)")
    assert found["managers"] == 0, found


def test_a_set_answered_in_four_tabs_at_once_is_one_attempt(installation):
    found = outcome(installation, "qualify(tabs=4, pairs=6)")
    assert found["attempts"] == [[True, 1.0]]
    assert found["answers"] == [6]
