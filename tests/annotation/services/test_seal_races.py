"""Sealers at the same moment, on both engines, with a control for the guard."""

import json
from typing import Any

from tests.services.installation import Installation

CROWD = "from tests.annotation.services import sealers; sealers.seal({arguments})"


def outcome(installation: Installation, arguments: str) -> dict[str, Any]:
    printed = installation.run(CROWD.format(arguments=arguments), timeout=300)
    return dict(json.loads(printed.splitlines()[-1]))


def test_many_sealers_make_one_chain_while_pairs_are_asked_anew(installation):
    whole = {"errors": [], "broken": 0, "twice": 0, "unsealed": 0, "waiting": 0}
    assert outcome(installation, "workers=4, pairs=40") == whole


def test_control_without_constraints_and_guard_they_seal_twice(installation):
    assert outcome(installation, "workers=4, pairs=40, guarded=False")["twice"] > 0
