"""Real workers at one release or draft, on both engines: two at once, and one that is killed."""

import json

import pytest

from tests.services.installation import Installation

CODE = "from tests.annotation.services.releases import builders; builders.{call}"
RIGHT = {"state": "frozen", "examples": 40, "whole": True, "wrong": []}


def outcome(installation: Installation, call: str) -> dict[str, object]:
    printed = installation.run(CODE.format(call=call))
    return dict(json.loads(printed.splitlines()[-1]))


def test_two_workers_at_once_build_a_release_once(installation: Installation) -> None:
    found = outcome(installation, "at_once()")
    assert RIGHT.items() <= found.items()
    assert found["claimed"] == [1]


def test_control_without_comparing_both_workers_claim_it(installation: Installation) -> None:
    found = outcome(installation, "at_once(guarded=False)")
    assert found["claimed"] == [1, 1]


def test_what_a_killed_worker_left_half_written_another_finishes(
    installation: Installation,
) -> None:
    found = outcome(installation, "killed()")
    assert found["killed"]
    assert "sentences.jsonl" in found["left"]
    assert RIGHT.items() <= found.items()
    assert (found["attempts"], found["same_freeze"]) == (2, True)


def test_control_without_another_worker_nothing_is_published(installation: Installation) -> None:
    found = outcome(installation, "killed(continued=False)")
    assert found["killed"]
    assert (found["state"], found["published"]) == ("building", False)


SEEN = {"state": "made", "pairs": 40}


def test_two_workers_at_once_look_at_a_draft_once(installation: Installation) -> None:
    found = outcome(installation, "looking_at_once()")
    assert found == SEEN | {"attempts": 1, "claimed": [1]}


def test_control_without_comparing_both_workers_look_at_it(installation: Installation) -> None:
    found = outcome(installation, "looking_at_once(guarded=False)")
    assert found["claimed"] == [1, 1]


def test_what_a_killed_worker_was_looking_at_another_looks_at(installation: Installation) -> None:
    found = outcome(installation, "killed_while_looking()")
    assert found == SEEN | {"attempts": 2, "killed": True}


def test_control_without_another_worker_nobody_has_looked(installation: Installation) -> None:
    found = outcome(installation, "killed_while_looking(continued=False)")
    assert found == {"state": "under_way", "attempts": 1, "pairs": 0, "killed": True}


@pytest.mark.parametrize("engine", ["postgres"])
def test_a_celery_worker_is_woken_to_look_at_a_draft(
    installation: Installation, redis_url: str
) -> None:
    installation.environment["CELERY_BROKER_URL"] = redis_url
    installation.celery("worker", "--pool", "solo", "--loglevel", "WARNING")
    found = outcome(installation, "woken()")
    assert found == SEEN | {"attempts": 1}
