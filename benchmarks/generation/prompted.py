"""A run of the method `prompted`, by a worker on Postgres: replies a second, CPU and memory.

All filters are on, the server answers each request after half a second with two words exchanged,
and the worker has loaded its models. Meanwhile files are imported. The reference of the CPU is the
client alone: without a database, prompts or filters. That of imports is a worker without a run.
"""

import os
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from benchmarks.annotation import cpu
from benchmarks.dataset.place import peak_mb
from benchmarks.generation.embedded.place import texts
from benchmarks.generation.endpoints import (
    MEGABYTES,
    PARALLEL,
    REPLIES_A_SECOND,
    SECONDS,
    model_at,
    server,
    time_asking,
)
from benchmarks.generation.parts import Options
from benchmarks.generation.workers import corpus_of, installation
from benchmarks.table import Figure, at_least, at_most
from support.services import servers
from support.services.installation import Installation

SENTENCES, SAMPLES = 500, 4
SENTENCES_BEFORE = 20  # of the run by which the worker loads its models
IMPORTS = 5
CPU_MILLISECONDS = 6.0
SECONDS_TO_IMPORT = 2.0
PATIENCE_SECONDS = 600.0
ENDPOINTS = """
[local]
address = "{address}"
parallel = {parallel}
[local.models.small]
"""
# The preset `reorder`, with the filters that it leaves out.
SETTINGS = {
    "generator": "local:small",
    "samples": SAMPLES,
    "min_similarity": 0.5,
    "reordered_above": 0.001,
}


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    with (
        servers.postgres() as database,
        server("--reorder") as address,
        tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder,
    ):
        file = Path(folder, "endpoints.toml")
        file.write_text(ENDPOINTS.format(address=address, parallel=PARALLEL))
        os.environ["PAWSMITH_ENDPOINTS"] = str(file)
        home = installation(database, "", Path(folder))
        try:
            return _measure(home, address, options)
        finally:
            home.stop()


def _measure(home: Installation, address: str, options: Options) -> list[Figure]:
    from annotation.projects.services import projects
    from generation.methods.prompted import requests_about
    from generation.nlp.prompted import PromptedSettings

    sentences = texts(options.file, SENTENCES)
    requests = [requests_about(text, PromptedSettings())[0] for text in sentences]
    _, client_cpu = time_asking(model_at(address), requests)
    project = projects.create("bench")
    worker = home.start("worker").pid
    _wait_until_done(_start(options, sentences=SENTENCES_BEFORE))
    idle = [_seconds_to_import(project) for _ in range(IMPORTS)]

    # The kernel forgets the peak of loading the models: proc(5).
    Path(f"/proc/{worker}/clear_refs").write_text("5")
    cpu_before, memory_before = cpu.seconds_of([worker]), peak_mb(worker)
    run = _start(options, sentences=SENTENCES)
    busy = []
    for part in range(IMPORTS):
        _wait_for_replies(run, number=part * SENTENCES * SAMPLES // IMPORTS + 1)
        busy.append(_seconds_to_import(project))
    _wait_until_done(run)
    core_seconds = cpu.seconds_of([worker]) - cpu_before
    replies = run.usage["replies"]
    print(f"{replies:,} replies, {run.candidate_set.count():,} candidates")
    return [
        Figure(
            f"prompted: replies a second, {PARALLEL} at once",
            replies / ((run.finished_at - run.created_at) / timedelta(seconds=1)),
            reference=PARALLEL / SECONDS,
            goal=at_least(REPLIES_A_SECOND),
        ),
        Figure(
            "prompted: CPU a reply",
            1000 * core_seconds / replies,
            "ms",
            reference=1000 * client_cpu / len(requests),
            goal=at_most(CPU_MILLISECONDS),
        ),
        Figure("prompted: memory", peak_mb(worker) - memory_before, "MB", goal=at_most(MEGABYTES)),
        Figure(
            "prompted: until an import begins",
            max(busy),
            "s",
            reference=max(idle),
            goal=at_most(SECONDS_TO_IMPORT),
        ),
    ]


def _start(options: Options, *, sentences: int) -> Any:
    from generation.services import runs

    corpus = corpus_of(options.file, f"bench {sentences}", number=sentences)
    return runs.start(corpus, method="prompted", settings=SETTINGS, seed=options.seed)


def _seconds_to_import(project: Any) -> float:
    """Import a file of one sentence; seconds until a worker has begun."""
    from annotation.imports.services import uploads
    from annotation.models import Import
    from common.messages import wake_worker
    from generation.models import Corpus

    lines = b"text\nThe river flows to the sea.\n"
    row = uploads.create(
        project, kind="sentences", name="one.csv", size=len(lines), chunks=[lines], by=None
    )
    _wait_until(row, lambda: row.preview is not None)
    corpus = Corpus.objects.create(name=f"import {row.pk}")
    began = time.perf_counter()
    uploads.start(row, columns=row.columns, options={}, corpus=corpus, by=None)
    wake_worker()
    _wait_until(row, lambda: row.state in (Import.State.RUNNING, Import.State.DONE))
    return time.perf_counter() - began


def _wait_for_replies(run: Any, *, number: int) -> None:
    _wait_until(run, lambda: run.usage.get("replies", 0) >= number)


def _wait_until_done(run: Any) -> None:
    _wait_until(run, lambda: run.state == run.State.DONE)


def _wait_until(row: Any, is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError(f"{row} is {row.state}")
        time.sleep(0.02)
        row.refresh_from_db()
