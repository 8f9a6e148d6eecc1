"""Real processes that judge at the same moment, on both engines, with a control for each guard."""

import json

from tests.services.installation import Installation

CROWD = "from tests.annotation.services import crowd; crowd.judge({arguments})"


def crowd(installation: Installation, arguments: str) -> dict[str, object]:
    printed = installation.run(CROWD.format(arguments=arguments), timeout=300)
    return json.loads(printed.splitlines()[-1])


def holds(outcome: dict[str, object], *, pairs: int) -> bool:
    """Five a pair, nobody twice, each decided, no error."""
    return outcome == {
        "answered": 5 * pairs,
        "answered_once": 5 * pairs,
        "per_pair": [5],
        "undecided": 0,
        "errors": [],
        "crashed": 0,
    }


def test_twenty_people_at_once_give_five_judgments_a_pair(installation):
    outcome = crowd(installation, "people=20, pairs=60")
    assert holds(outcome, pairs=60), outcome


def test_two_tabs_of_one_person_never_answer_a_pair_twice(installation):
    outcome = crowd(installation, "people=6, tabs=2, pairs=25")
    assert holds(outcome, pairs=25), outcome


def test_control_without_constraints_and_guard_the_promise_breaks(installation):
    outcome = crowd(installation, "people=12, pairs=60, guarded=False")
    assert not holds(outcome, pairs=60)


def test_two_accounts_of_one_person_never_answer_the_same_pair(installation):
    outcome = crowd(installation, "people=12, accounts=2, pairs=40")
    assert holds(outcome, pairs=40), outcome


def test_control_without_constraints_and_guard_two_accounts_answer_the_same_pair(installation):
    outcome = crowd(installation, "people=12, accounts=2, pairs=60, guarded=False")
    assert not holds(outcome, pairs=60)
