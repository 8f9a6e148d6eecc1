"""Real workers that race and die: the rows are those of one undisturbed worker."""

import json
from typing import Any

import pytest

from tests.services.installation import Installation

DEATHS = 5


def outcome(installation: Installation, call: str) -> dict[str, Any]:
    """What a call of tests.generation.services.mortal prints in a process of its own."""
    code = f"from tests.generation.services import mortal; mortal.{call}"
    return dict(json.loads(installation.run(code).splitlines()[-1]))


@pytest.mark.parametrize("moment", ["rewriting", "writing"])
def test_five_workers_killed_change_no_row(installation: Installation, moment: str) -> None:
    found = outcome(installation, f"die(deaths={DEATHS}, moment={moment!r}, sentences=100)")

    assert found["exits"] == [-9] * DEATHS + [0]
    assert found["rows"] == 90
    assert found["same rows"]
    assert found["same outcomes"]
    assert found["state"] == "done"
    assert found["attempts"] == [1] * (20 - DEATHS) + [2] * DEATHS


@pytest.mark.parametrize("locks", [True, False], ids=["locks", "no locks"])
def test_workers_that_race_work_each_batch_once(installation: Installation, locks: bool) -> None:
    found = outcome(installation, f"race(workers=4, sentences=200, locks={locks})")

    assert found["errors"] == []
    assert found["same rows"]
    assert found["state"] == "done"
    assert found["attempted"] == 40
    assert found["attempts"] == [1] * 40


def test_without_comparing_they_take_batches_from_each_other(installation: Installation) -> None:
    found = outcome(installation, "race(workers=4, sentences=200, locks=False, compares=False)")

    assert "IntegrityError" in found["errors"][0]
