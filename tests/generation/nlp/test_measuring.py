"""Pairs are measured by another process as they are here, and it never outlives who asked."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generation.nlp.measuring import ROOT, Assistant, likenesses

PAIRS = [
    ("A cat sees a dog.", "A dog sees a cat."),
    ("Zoë naïvely met 東京.", "東京 met Zoë \u2028 “naïvely”."),
    ("One.", "Two."),
]
ASKS_AND_WAITS = """\
import time
from generation.nlp.measuring import Assistant
with Assistant() as assistant:
    assistant.give([("A b.", "B a.")])
    assistant.take()
    print(assistant._process.pid, flush=True)
    time.sleep(600)
"""


def test_it_measures_as_this_process_does() -> None:
    with Assistant() as assistant:
        for pairs in (PAIRS, [], PAIRS[:1]):
            assistant.give(pairs)
            assert assistant.take() == likenesses(pairs)


def test_more_than_a_pipe_holds_is_measured() -> None:
    pairs = [(f"{number} {'word ' * 50}", f"{number} {'thing ' * 50}") for number in range(5000)]
    with Assistant() as assistant:
        assistant.give(pairs)
        assert assistant.take() == likenesses(pairs)


def test_it_ends_with_its_context_also_when_nobody_takes() -> None:
    with Assistant() as assistant:
        assistant.give(PAIRS * 1000)
    assert assistant._process.returncode == -signal.SIGKILL


def test_one_that_was_ended_is_told_of() -> None:
    with Assistant() as assistant:
        assistant._process.kill()
        assistant._process.wait()
        with pytest.raises(RuntimeError, match="ended with -9"):
            assistant.give(PAIRS * 10_000)
        with pytest.raises(RuntimeError, match="ended with -9"):
            assistant.take()


def test_it_ends_when_who_asked_is_killed() -> None:
    asks = subprocess.Popen(
        [sys.executable, "-c", ASKS_AND_WAITS], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert asks.stdout
    assistant = int(asks.stdout.readline())
    os.kill(assistant, 0)
    asks.kill()
    asks.communicate()
    until = time.monotonic() + 30
    while is_running(assistant):
        assert time.monotonic() < until
        time.sleep(0.05)


def is_running(process: int) -> bool:
    """Whether there is such a process that has not ended; nobody waits for an orphan's end."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
