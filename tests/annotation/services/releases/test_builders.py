"""Real workers at one release, on both engines: two at once, and one that is killed."""

import json

import pytest

from tests.services.installation import Installation

CODE = "from tests.annotation.services.releases import builders; builders.{call}"
RIGHT = {"state": "frozen", "examples": 40, "whole": True, "wrong": []}


def outcome(installation: Installation, call: str) -> dict[str, object]:
    printed = installation.run(CODE.format(call=call))
    return dict(json.loads(printed.splitlines()[-1]))


@pytest.mark.slow
def test_two_workers_at_once_build_a_release_once(installation: Installation) -> None:
    found = outcome(installation, "at_once()")
    assert RIGHT.items() <= found.items()
    assert found["claimed"] == [1]


@pytest.mark.slow
def test_control_without_comparing_both_workers_claim_it(installation: Installation) -> None:
    found = outcome(installation, "at_once(guarded=False)")
    assert found["claimed"] == [1, 1]


@pytest.mark.slow
def test_what_a_killed_worker_left_half_written_another_finishes(
    installation: Installation,
) -> None:
    found = outcome(installation, "killed()")
    assert found["killed"]
    assert "sentences.jsonl" in found["left"]
    assert RIGHT.items() <= found.items()
    assert (found["attempts"], found["same_freeze"]) == (2, True)


@pytest.mark.slow
def test_control_without_another_worker_nothing_is_published(installation: Installation) -> None:
    found = outcome(installation, "killed(continued=False)")
    assert found["killed"]
    assert (found["state"], found["published"]) == ("building", False)
