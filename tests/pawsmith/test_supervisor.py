"""Processes that run together."""

import sys
import time

import pytest

from pawsmith.supervisor import Ended, Supervisor

WAITS = [sys.executable, "-c", "import time; time.sleep(600)"]
FAILS = [sys.executable, "-c", "raise SystemExit(3)"]


@pytest.fixture
def supervisor():
    supervisor = Supervisor()
    yield supervisor
    supervisor.stop()


def test_all_are_stopped_when_one_that_is_needed_ends(supervisor):
    web = supervisor.start("The web server", WAITS)
    supervisor.start("The worker", FAILS)

    with pytest.raises(Ended, match="The worker"):
        supervisor.watch()
    supervisor.stop()

    assert web.poll() is not None


def test_the_others_go_on_when_one_that_is_not_needed_ends(supervisor):
    supervisor.start("The web server", WAITS)
    evaluator = supervisor.start("The evaluator", FAILS, is_needed=False)
    evaluator.wait()
    until = time.monotonic() + 0.3

    supervisor.watch(until=lambda: time.monotonic() > until)


def test_a_step_that_fails_is_named(supervisor):
    with pytest.raises(Ended, match="pawsmith migrate"):
        supervisor.finish({"pawsmith migrate": FAILS})
