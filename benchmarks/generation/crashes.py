"""A run over Redis whose workers and whose Redis are killed: not a row is lost or doubled.

Two Celery workers and the schedule, real Redis, real Postgres, the embedded models. Over the first
three quarters of the run a worker is killed twenty times, by turns with its child (a machine that
dies) and the child alone (a process that runs out of memory), and Redis three times, which keeps
nothing on disk: all its messages are gone. Killed workers are started again, nothing else is done.

A batch over which three workers died is parked. A batch that was interrupted is tried again after
all others, in the last quarter. A second run has a sentence that kills each worker that reads it.
"""

import os
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.generation.parts import Options
from benchmarks.generation.workers import corpus_of, installation
from benchmarks.table import Figure, at_least, at_most
from support.services import servers
from support.services.celery_workers import CeleryWorkers

SENTENCES = 10_000
BATCH = 100
KILLS = 20
FLUSHES = 3
DOWN_SECONDS = 3.0
DISTURBED_SHARE = 0.75
PATIENCE_SECONDS = 900.0

DEADLY = "This sentence kills whoever reads it."
OTHERS = 250  # other sentences of its run

UNDISTURBED = """
from generation.models import GenerationRun
from support.workers import work_until_idle
work_until_idle(GenerationRun(pk={run}))
"""


def make_deadly() -> None:
    """Let this process die of the sentence: what a worker does before it begins."""
    from generation.nlp.word_swap import WordSwapper

    original_outcomes = WordSwapper.outcomes

    def deadly(rewriter: WordSwapper, texts: Sequence[str]) -> Any:
        if DEADLY in texts:
            os.kill(os.getpid(), signal.SIGKILL)
        return original_outcomes(rewriter, texts)

    WordSwapper.outcomes = deadly  # type: ignore[method-assign, assignment]


@dataclass
class Disturbance:
    """What is done to the workers and to Redis during a run, by its progress."""

    workers: CeleryWorkers
    redis: servers.Redis
    total: int
    kills: int = 0
    flushes: int = 0
    of_whole_workers: int = 0

    def disturb(self, done: int) -> None:
        """Kill what is due at this number of finished sentences."""
        share = done / self.total / DISTURBED_SHARE
        if self.kills < KILLS and share >= (self.kills + 1) / KILLS:
            self._kill_worker()
        if self.flushes < FLUSHES and share >= (self.flushes + 1) / (FLUSHES + 1):
            self._kill_redis()

    def _kill_worker(self) -> None:
        if self.kills % 2 and self.workers.kill_child_of_first():
            self.kills += 1
        else:
            self.workers.replace_first()
            self.kills, self.of_whole_workers = self.kills + 1, self.of_whole_workers + 1

    def _kill_redis(self) -> None:
        self.redis.kill()
        time.sleep(DOWN_SECONDS)
        self.redis.start()
        self.flushes += 1


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    with (
        servers.postgres() as database,
        servers.redis_server() as redis,
        tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder,
    ):
        home = installation(database, redis.url, Path(folder))
        workers = CeleryWorkers(home, prelude=f"from {__name__} import make_deadly; make_deadly()")
        try:
            return _measure(workers, redis, options)
        finally:
            home.stop()


def _measure(workers: CeleryWorkers, redis: servers.Redis, options: Options) -> list[Figure]:
    from generation.services import runs

    corpus = corpus_of(options.file, "bench", number=SENTENCES)
    undisturbed = runs.start(corpus, method="word_swap", batch_size=BATCH)
    workers.installation.run_together(
        UNDISTURBED.format(run=undisturbed.pk), processes=2, timeout=PATIENCE_SECONDS
    )
    deadly = runs.start(_deadly_corpus(options), method="word_swap", batch_size=BATCH)
    disturbed = runs.start(corpus, method="word_swap", batch_size=BATCH)
    began = time.monotonic()
    disturbance = _disturb(workers, redis, disturbed, deadly)
    seconds = time.monotonic() - began
    return [
        *_disturbance_figures(disturbance, disturbed, seconds),
        *_row_figures(undisturbed, disturbed),
        *_deadly_figures(deadly),
    ]


def _deadly_corpus(options: Options) -> Any:
    from generation.readers import Row
    from generation.services.sentences import import_sentences

    corpus = corpus_of(options.file, "deadly", number=OTHERS)
    import_sentences([Row(1, DEADLY)], corpus=corpus)
    return corpus


def _disturb(
    workers: CeleryWorkers, redis: servers.Redis, disturbed: Any, deadly: Any
) -> Disturbance:
    """Let the workers work both runs to their ends, whatever is done to it."""
    from generation import selectors, tasks

    disturbance = Disturbance(workers, redis, total=selectors.progress(disturbed).total)
    workers.start_beat()
    for _ in range(2):
        workers.start()
    for run in (deadly, disturbed):
        tasks.wake(run.pk)
    until = time.monotonic() + PATIENCE_SECONDS
    while not (_is_done(disturbed) and _is_done(deadly)) and time.monotonic() < until:
        disturbance.disturb(selectors.progress(disturbed).done)
        time.sleep(0.3)
    return disturbance


def _is_done(run: Any) -> bool:
    run.refresh_from_db()
    return bool(run.state == run.State.DONE)


def _disturbance_figures(disturbance: Disturbance, run: Any, seconds: float) -> list[Figure]:
    from generation import selectors

    repeated = run.batches.filter(attempts__gt=1).count()
    done = selectors.progress(run).done
    return [
        Figure("kill -9 of workers", disturbance.kills, goal=at_least(KILLS)),
        Figure("of these with their parent", disturbance.of_whole_workers),
        Figure("kill -9 of Redis, all lost", disturbance.flushes, goal=at_least(FLUSHES)),
        Figure("batches that died with a worker", repeated),
        Figure("sentences done", done, goal=at_least(disturbance.total)),
        Figure("time of the run", seconds, "s"),
    ]


def _row_figures(undisturbed: Any, disturbed: Any) -> list[Figure]:
    expected, actual = _rows(undisturbed), _rows(disturbed)
    return [
        Figure("rows of an undisturbed run", expected.total(), goal=at_least(1)),
        Figure("rows lost", (expected - actual).total(), goal=at_most(0)),
        Figure("rows doubled or changed", (actual - expected).total(), goal=at_most(0)),
        Figure("outcomes that differ", _outcomes_that_differ(undisturbed, disturbed), "batches"),
    ]


def _rows(run: Any) -> Counter[tuple[Any, ...]]:
    columns = ("sentence_id", "batch__number", "rank", "text", "kind", "score", "similarity")
    return Counter(run.candidate_set.values_list(*columns))


def _outcomes_that_differ(*runs: Any) -> int:
    one, other = [list(run.batches.values_list("outcomes", flat=True)) for run in runs]
    return sum(first != second for first, second in zip(one, other, strict=True))


def _deadly_figures(run: Any) -> list[Figure]:
    from generation.services.batches import LOST

    parked = run.batches.filter(state="parked", error=LOST)
    for batch in parked:
        print(f"parked after {batch.attempts} attempts: {batch.error}")
    unfinished = run.batches.exclude(state="done").exclude(pk__in=parked)
    attempts = max(parked.values_list("attempts", flat=True), default=0)
    return [
        Figure("batches that kill, parked", parked.count(), goal=at_least(1)),
        Figure("attempts at them", attempts, goal=at_most(3)),
        Figure("others of their run not done", unfinished.count(), goal=at_most(0)),
    ]
