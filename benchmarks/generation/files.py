"""`generate_file` beside word swap alone, and in four shards that are stopped five times.

Each process has one thread, and neither torch nor pandas, as where only requirements.txt is
installed: spaCy and pyarrow import them where they can. Shards are stopped at random times, by
turns with SIGKILL and SIGTERM, and continued by the same command.
"""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import psutil

from benchmarks.generation.embedded import place
from benchmarks.generation.parts import Options
from benchmarks.table import Figure, at_least, at_most
from support.places import ROOT

SENTENCES = 20_000
SHARDS = 4
STOPS = (signal.SIGKILL, signal.SIGTERM)
STOPS_OF_SHARD = (2, 1, 1, 1)
GOAL = 0.95
MOST_MEGABYTES = 400

BARE = """
import runpy, sys
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *a: None if name in ("torch", "pandas") else find(name, *a)
sys.argv[0] = "manage.py"
"""
COMMAND = f"{BARE}runpy.run_path('manage.py', run_name='__main__')"
ALONE = f"""{BARE}
import django
django.setup()
from generation.methods.word_swap import METHOD
swapper = METHOD.load(METHOD.configure(METHOD.with_preset("", {{}})), 0)
texts = open(sys.argv[1]).read().splitlines()
for start in range(0, len(texts), METHOD.batch_size):
    list(swapper.outcomes(texts[start : start + METHOD.batch_size]))
"""
ENVIRONMENT = place.ONE_THREAD | {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "PAWSMITH_SECRET_KEY": "only-for-this-benchmark",
    "DATABASE_URL": "postgres://nobody@127.0.0.1:9/none",
}


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that ended. `seconds` are those of its processor, `megabytes` the most it had."""

    status: int
    seconds: float
    megabytes: float


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as name:
        folder = Path(name)
        with place.fresh_installation():
            sentences = options.sentences or SENTENCES
            texts = islice(
                place.repeat_with_numbers(place.texts(options.file, sentences)), sentences
            )
            (folder / "in.txt").write_text("\n".join(texts) + "\n")
        whole = _ended(_command(folder, "whole"))
        alone = _ended(_start(ALONE, str(folder / "in.txt")))
        shards = _stopped_shards(folder, Random(options.seed), whole.seconds / SHARDS)
        rows = _rows(folder, ["whole"])
        rows_of_shards = _rows(folder, [str(shard) for shard in range(1, SHARDS + 1)])
    return [
        Figure(
            "generate_file, beside word swap alone",
            sentences / whole.seconds,
            "sentences/core-second",
            sentences / alone.seconds,
            at_least(GOAL, of_ratio=True),
        ),
        Figure("its memory", whole.megabytes, "MB", alone.megabytes, at_most(MOST_MEGABYTES)),
        Figure(
            "memory of a shard",
            max(ended.megabytes for ended in shards),
            "MB",
            goal=at_most(MOST_MEGABYTES),
        ),
        Figure(
            "times that shards were stopped",
            sum(ended.status != 0 for ended in shards),
            goal=at_least(sum(STOPS_OF_SHARD)),
        ),
        Figure("rows of an undisturbed file", len(rows), goal=at_least(1)),
        Figure(
            "rows lost, doubled or changed",
            sum(one != other for one, other in zip(rows, rows_of_shards, strict=False))
            + abs(len(rows) - len(rows_of_shards)),
            goal=at_most(0),
        ),
    ]


def _stopped_shards(folder: Path, random: Random, seconds: float) -> list[Ended]:
    """Write all shards, each of which takes about these core-seconds; return all processes."""
    processes, stops = [], 0
    for shard, times in enumerate(STOPS_OF_SHARD, 1):
        for _ in range(times):
            process = _command(folder, str(shard), "--shard", f"{shard}/{SHARDS}")
            _wait_until(process, random.uniform(0.3, 0.9) * seconds / times)
            os.kill(process.pid, STOPS[stops % len(STOPS)])
            stops += 1
            processes.append(_ended(process))
        processes.append(_ended(_command(folder, str(shard), "--shard", f"{shard}/{SHARDS}")))
    return processes


def _wait_until(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait until a process has used these core-seconds, or has ended."""
    times = psutil.Process(process.pid)
    while times.status() != psutil.STATUS_ZOMBIE and sum(times.cpu_times()[:2]) < seconds:
        sleep(0.1)


def _command(folder: Path, name: str, *options: str) -> subprocess.Popen[bytes]:
    out = folder / f"{name}.parquet"
    arguments = [str(folder / "in.txt"), "--method", "word_swap", "--language", "en", *options]
    return _start(COMMAND, "generate_file", *arguments, "--out", str(out))


def _start(code: str, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, env=os.environ | ENVIRONMENT
    )


def _ended(process: subprocess.Popen[bytes]) -> Ended:
    """Wait for a process."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _rows(folder: Path, names: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of these files together, in the order of the sentences."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    tables = [pq.read_table(folder / f"{name}.parquet") for name in names]
    rows = pa.concat_tables(tables).to_pylist()
    return sorted(rows, key=lambda row: (row["line"], row["rank"]))
