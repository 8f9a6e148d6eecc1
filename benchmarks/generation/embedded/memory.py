"""Memory of a worker: `manage.py worker` in a new process, with all embedded models at work.

The benchmarks need torch, which thinc imports wherever it is installed. The worker must not find
it, as in an installation without neural models.
"""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.generation.embedded.place import imported, texts
from benchmarks.generation.parts import ROOT, Options
from benchmarks.table import Figure, at_most

GOAL = 600
SENTENCES = 2_000
SECONDS = 300
WITHOUT_TORCH = """
import runpy, sys
sys.modules["torch"] = None
sys.argv = ["manage.py", "worker"]
runpy.run_path("manage.py", run_name="__main__")
"""


def figures(options: Options) -> list[Figure]:
    """The peak of a worker's resident memory."""
    from generation.services import runs

    corpus = imported("memory", texts(options.file, SENTENCES))
    run = runs.start(corpus, method="word_swap", seed=options.seed)
    worker = subprocess.Popen([sys.executable, "-c", WITHOUT_TORCH], cwd=ROOT)
    try:
        _wait_for(run, worker)
        peak = _peak(worker.pid)
    finally:
        worker.terminate()
        worker.wait()
    return [Figure("peak of a worker without torch", peak, "MiB", goal=at_most(GOAL))]


def _wait_for(run: Any, worker: "subprocess.Popen[bytes]") -> None:
    """Return when the run is done. Raises RuntimeError when that takes too long."""
    until = time.monotonic() + SECONDS
    while run.state != run.State.DONE:
        if worker.poll() is not None or time.monotonic() > until:
            raise RuntimeError("The worker did not finish its run.")
        time.sleep(0.5)
        run.refresh_from_db()


def _peak(pid: int) -> float:
    """Return the peak memory of a process in MiB, without that of its children."""
    status = dict(
        line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines()
    )
    return int(status["VmHWM"].split()[0]) / 1024
