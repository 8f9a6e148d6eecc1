"""Workers that review at the same moment, on both engines, with a control for the guard."""

import json
from typing import Any

from tests.services.installation import Installation

CROWD = "from tests.annotation.services import reviewers; reviewers.review({arguments})"


def outcome(installation: Installation, arguments: str) -> dict[str, Any]:
    printed = installation.run(CROWD.format(arguments=arguments), timeout=300)
    return json.loads(printed.splitlines()[-1])


def test_of_many_reviews_at_once_one_records_the_flag(installation):
    assert outcome(installation, "workers=8") == {"flags": 1, "pauses": 1, "met": []}


def test_control_without_the_lock_it_is_recorded_again_and_again(installation):
    assert outcome(installation, "workers=8, guarded=False")["flags"] > 1
