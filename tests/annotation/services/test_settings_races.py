"""Managers who save what they all saw, on both engines, with a control for the guard."""

import json
from typing import Any

from tests.services.installation import Installation

CROWD = "from tests.annotation.services import savers; savers.save({arguments})"


def outcome(installation: Installation, arguments: str) -> dict[str, Any]:
    printed = installation.run(CROWD.format(arguments=arguments), timeout=300)
    return json.loads(printed.splitlines()[-1])


def test_of_managers_who_saw_the_same_settings_one_changes_them(installation):
    found = outcome(installation, "managers=8")
    assert found == {"changes": 1, "met": ["Stale"] * 7}


def test_control_without_the_lock_one_overwrites_what_another_saved(installation):
    assert outcome(installation, "managers=8, guarded=False")["changes"] > 1
