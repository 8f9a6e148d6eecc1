"""The process that measures pairs never outlives the one that asked."""

import os
import select
import subprocess
import sys

from generation.nlp.measuring import ROOT

ASKS_AND_WAITS = """\
import sys
from generation.nlp.measuring import Assistant
with Assistant() as assistant:
    assistant.give([("A b.", "B a.")])
    assistant.take()
    print(assistant._process.pid, flush=True)
    sys.stdin.read()
"""


def test_it_ends_when_the_process_that_asked_is_killed():
    command = [sys.executable, "-c", ASKS_AND_WAITS]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as asks:
        assistant = os.pidfd_open(int(asks.stdout.readline()))
        asks.kill()
    ended, _, _ = select.select([assistant], [], [], 300)
    os.close(assistant)
    assert ended
