"""Requests to a model behind an endpoint: replies a second, the client's own time and memory.

The server is another process, which answers each request after half a second.
"""

import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from typing import IO, cast

from benchmarks.generation.parts import Options, texts_of
from benchmarks.table import Figure, at_least, at_most
from generation.endpoints.chat import Endpoint, Model, NoLedger, Request
from generation.endpoints.client import Chat

REQUESTS = 2000
SECONDS = 0.5
PARALLEL = 16
REPLIES_A_SECOND = 25.0
CPU_MILLISECONDS = 2.0
MEGABYTES = 60.0


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    requests = [
        Request((("user", f"Rewrite: {text}"),), 0.8, 0.95, 128, seed=seed)
        for seed, text in enumerate(islice(cycle(texts_of(options.file)), REQUESTS))
    ]
    with server() as address:
        memory = _peak_megabytes()
        seconds, cpu = time_asking(model_at(address), requests)
    return [
        Figure(
            f"endpoints: replies a second, {PARALLEL} at once",
            REQUESTS / seconds,
            reference=PARALLEL / SECONDS,
            goal=at_least(REPLIES_A_SECOND),
        ),
        Figure(
            "endpoints: CPU a reply", 1000 * cpu / REQUESTS, "ms", goal=at_most(CPU_MILLISECONDS)
        ),
        Figure("endpoints: memory", _peak_megabytes() - memory, "MB", goal=at_most(MEGABYTES)),
    ]


def model_at(address: str) -> Model:
    return Model(Endpoint("local", address, parallel=PARALLEL), "local:small", "small")


def time_asking(model: Model, requests: Sequence[Request]) -> tuple[float, float]:
    """Ask without a database; return the seconds, and the CPU seconds of this process."""
    seconds, cpu = time.perf_counter(), time.process_time()
    replies = sum(1 for _ in Chat(model, NoLedger()).ask(requests))
    if replies != len(requests):
        raise RuntimeError(f"{replies} replies to {len(requests)} requests")
    return time.perf_counter() - seconds, time.process_time() - cpu


@contextmanager
def server(*options: str) -> Iterator[str]:
    """Start the server of the tests; yields its address."""
    command = [sys.executable, "-m", "tests.endpoint_server", f"--seconds={SECONDS}", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield cast(IO[str], process.stdout).readline().strip()
        finally:
            process.terminate()


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
