"""The figures of scripts/bench watch stay within their bounds."""

import subprocess
import sys

from support.places import ROOT


def test_no_figure_of_the_watch_exceeds_its_bound():
    command = [sys.executable, "-m", "benchmarks.watch"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
