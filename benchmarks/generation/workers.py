"""Two Celery workers compared with one: the same rows, in less time.

Real Redis, real Postgres, the embedded models, one thread a worker. Both workers have loaded
their models: one of them listens to both queues, the other to `cpu` alone, so a run in the
queue `gpu` has one worker and a run in `cpu` has two. They take turns. What is timed is the time
from a run's first finished batch to its last. Core-seconds are those of the workers: where two cost
as many for a sentence as one, neither is in the other's way.
"""

import tempfile
from itertools import islice
from pathlib import Path
from time import sleep
from typing import Any

from benchmarks.generation.embedded import place
from benchmarks.generation.parts import Options
from benchmarks.table import Figure, at_least, at_most
from support.services import servers, sites
from support.services.celery_workers import CeleryWorkers
from support.services.installation import Installation

SENTENCES = 10_000
ROUNDS = 2
GOAL = 1.7
ONE, TWO = "gpu", "cpu"

LOADED = """
from generation.methods import word_swap
word_swap.METHOD.load(word_swap.METHOD.configure({}), 0)
"""


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    with (
        servers.postgres() as database,
        servers.redis() as broker,
        tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder,
    ):
        home = installation(database, broker, Path(folder))
        try:
            return _measure(home, options)
        finally:
            home.stop()


def installation(database: str, broker: str, folder: Path) -> Installation:
    """An empty installation, which this process works in as well."""
    home = Installation(database, folder, {"CELERY_BROKER_URL": broker, **place.ONE_THREAD})
    sites.set_up(str(folder), database, CELERY_BROKER_URL=broker)
    return home


def corpus_of(file: Path, name: str, *, number: int) -> Any:
    """A corpus of this number of sentences; those of a short file are repeated with a number."""
    texts = list(islice(place.repeat_with_numbers(place.texts(file, number)), number))
    corpus = place.import_corpus(name, texts, near_duplicates="off")
    print(f"{corpus.sentence_set.count():,} sentences imported")
    return corpus


def _measure(home: Installation, options: Options) -> list[Figure]:
    corpus = corpus_of(options.file, "bench", number=SENTENCES)
    workers = CeleryWorkers(home, prelude=LOADED)
    workers.start(queues=f"{ONE},{TWO}")
    workers.start(queues=TWO)
    _wait_for_workers(len(workers.workers))
    worked_runs = [_work_run(corpus, queue, workers) for _ in range(ROUNDS) for queue in (ONE, TWO)]
    one_worker, two_workers = worked_runs[0::2], worked_runs[1::2]
    runs = [run for run, _ in worked_runs]
    return [
        Figure(
            "two workers",
            _rate(two_workers),
            "sentences/s",
            reference=_rate(one_worker),
            goal=at_least(GOAL, of_ratio=True),
        ),
        Figure(
            "of two workers",
            _core_ms_per_sentence(two_workers),
            "core-ms/sentence",
            reference=_core_ms_per_sentence(one_worker),
        ),
        Figure("rows that differ", _differences(runs), goal=at_most(0)),
        Figure("rows of a run", len(_rows(runs[0])), goal=at_least(1)),
    ]


def _wait_for_workers(number: int) -> None:
    from config import celery_app

    while len(celery_app.control.ping(timeout=1.0)) < number:
        sleep(0.5)


def _work_run(corpus: Any, queue: str, workers: CeleryWorkers) -> tuple[Any, float]:
    """A run worked to its end by the workers of this queue, and the core-seconds that they took."""
    from generation import tasks
    from generation.models import GenerationRun
    from generation.services import runs

    core_seconds_before = workers.core_seconds()
    run = runs.start(corpus, method="word_swap")
    GenerationRun.objects.filter(pk=run.pk).update(queue=queue)
    tasks.wake(run.pk)
    while run.state != GenerationRun.State.DONE:
        sleep(1)
        run.refresh_from_db()
    core_seconds = workers.core_seconds() - core_seconds_before
    print(
        f"{queue}: {_rate([(run, core_seconds)]):.0f} sentences/s, {core_seconds:.1f} core-seconds"
    )
    return run, core_seconds


def _rate(worked_runs: list[tuple[Any, float]]) -> float:
    """Sentences a second, from the first finished batch on, which is not counted."""
    sentences, seconds = 0, 0.0
    for run, _ in worked_runs:
        finished = list(run.batches.order_by("finished_at").values_list("finished_at", "size"))
        sentences += sum(size for _, size in finished[1:])
        seconds += (finished[-1][0] - finished[0][0]).total_seconds()
    return sentences / seconds


def _core_ms_per_sentence(worked_runs: list[tuple[Any, float]]) -> float:
    sentences = sum(sum(run.batches.values_list("size", flat=True)) for run, _ in worked_runs)
    return 1000 * sum(core_seconds for _, core_seconds in worked_runs) / sentences


def _differences(runs: list[Any]) -> int:
    """Rows of the first run that another lacks, and the other way round."""
    first = set(_rows(runs[0]))
    return sum(len(first ^ set(_rows(run))) for run in runs[1:])


def _rows(run: Any) -> list[tuple[Any, ...]]:
    columns = ("sentence_id", "rank", "text", "kind", "score", "source_score")
    return list(run.candidate_set.values_list(*columns))
