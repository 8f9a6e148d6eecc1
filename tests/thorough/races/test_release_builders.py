"""Real workers at one release, on both engines: two at once, one that is killed, one woken."""

import json
import time

import pytest

CODE = "from tests.thorough.races import release_builders; release_builders.{call}"
RIGHT = {"state": "frozen", "examples": 40, "whole": True, "wrong": []}


def outcome(installation, call):
    return json.loads(installation.run(CODE.format(call=call)).splitlines()[-1])


def test_two_workers_at_once_build_a_release_once(installation):
    found = outcome(installation, "at_once()")
    assert RIGHT.items() <= found.items()
    assert found["claimed"] == [1]


def test_control_without_comparing_both_workers_claim_it(installation):
    assert outcome(installation, "at_once(guarded=False)")["claimed"] == [1, 1]


def test_files_that_a_killed_worker_left_half_written_another_finishes(installation):
    found = outcome(installation, "killed()")
    assert found["killed"]
    assert "sentences.jsonl" in found["left"]
    assert RIGHT.items() <= found.items()
    assert (found["attempts"], found["same_freeze"]) == (2, True)


def test_control_without_another_worker_nothing_is_published(installation):
    found = outcome(installation, "killed(continued=False)")
    assert found["killed"]
    assert (found["state"], found["published"]) == ("building", False)


@pytest.mark.parametrize("engine", ["postgres"])
def test_a_celery_worker_is_woken_to_look_at_a_draft(installation, redis_url):
    installation.environment["CELERY_BROKER_URL"] = redis_url
    worker = installation.celery("worker", "--pool", "solo", "--loglevel", "WARNING")
    installation.run(CODE.format(call="wake_for_a_draft()"))
    while (seen := outcome(installation, "print_preview()"))[0] != "made":
        assert worker.poll() is None
        time.sleep(0.2)
    assert seen == ["made", 1]
