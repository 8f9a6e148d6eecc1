"""Generation with the embedded models: sentences a second and core, memory, and what came of them.

Imports the sentences of a file into a fresh SQLite database and rewrites them in this one process.
Core-seconds are the process's CPU time, user and system, over all of its threads.
"""

import os
import random
import resource
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from scripts.benchmarks.generation.parts import Options
from scripts.benchmarks.table import Figure, at_least

GOAL = 150


@dataclass
class Stopwatch:
    """CPU seconds of this process, by what they were spent on."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def on(self, name: str) -> Iterator[None]:
        began = time.process_time()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.process_time() - began


@dataclass(frozen=True)
class TimedTagger:
    """A tagger whose work is timed apart from what is done with each sentence."""

    tagger: Any
    watch: Stopwatch

    def tag(self, texts: Iterable[str]) -> Iterator[Any]:
        tagged = self.tagger.tag(texts)
        while True:
            with self.watch.on("tagging"):
                sentence = next(tagged, None)
            if sentence is None:
                return
            yield sentence


@dataclass(frozen=True)
class TimedRewriter:
    """A rewriter whose outcomes are timed as a whole."""

    rewriter: Any
    identities: dict[str, dict[str, str]]
    watch: Stopwatch

    def outcomes(self, texts: Sequence[str]) -> list[Any]:
        with self.watch.on("rewriting"):
            return list(self.rewriter.outcomes(texts))


def figures(options: Options) -> list[Figure]:
    """The figures of this part."""
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder:
        _set_up(folder)
        watch = Stopwatch()
        run = _generate(options, watch)
        return _report(run, watch, options)


def _set_up(folder: str) -> None:
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PAWSMITH_SECRET_KEY": "only-for-this-benchmark",
        "PAWSMITH_DATA_DIR": folder,
        "DATABASE_URL": f"sqlite:///{folder}/bench.sqlite3",
        "CELERY_BROKER_URL": "",
    }
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _generate(options: Options, watch: Stopwatch) -> Any:
    from generation import methods, readers, records
    from generation.methods import word_swap
    from generation.services import corpora, runs, worker
    from generation.services.sentences import import_sentences

    methods.METHODS["word_swap"] = replace(word_swap.METHOD, load=_timed(word_swap.load, watch))
    corpus = corpora.open_corpus("bench")
    with options.file.open("rb") as raw, watch.on("import"):
        lines = readers.read(
            records.decompressed(options.file, raw), records.format_of(options.file)
        )
        report = import_sentences(lines, corpus=corpus)
    print(f"{report.added:,} sentences imported, {report.refused.total():,} refused")
    with watch.on("models"):
        word_swap.load(word_swap.configure({}), options.seed)
    with watch.on("generation"):
        run = runs.start(corpus, method="word_swap", seed=options.seed)
        worker.work_until_idle(run)
    run.refresh_from_db()
    return run


def _timed(load: Callable[..., Any], watch: Stopwatch) -> Callable[..., TimedRewriter]:
    def timed_load(*arguments: Any) -> TimedRewriter:
        rewriter = load(*arguments)
        tagger = TimedTagger(rewriter.swapper.tagger, watch)
        timed = replace(rewriter, swapper=replace(rewriter.swapper, tagger=tagger))
        return TimedRewriter(timed, rewriter.identities, watch)

    return timed_load


def _report(run: Any, watch: Stopwatch, options: Options) -> list[Figure]:
    from generation import selectors

    _show(selectors.candidates(run), options.show, options.seed)
    total = selectors.progress(run).total
    for name, count in selectors.funnel(run).items():
        print(f"{name.replace('_', ' '):<20}{count:>8,}{count / total:>8.1%}")
    return _table(watch.seconds, total, run)


def _show(candidates: Any, number: int, seed: int) -> None:
    ids = list(candidates.values_list("pk", flat=True))
    chosen = random.Random(seed).sample(ids, min(number, len(ids)))
    for candidate in candidates.filter(pk__in=chosen):
        fall = candidate.source_score - candidate.score
        print(f"{candidate.kind}, {fall:+.1f} nats lost")
        print(f"  {candidate.sentence.text}\n  {candidate.text}\n")


def _table(seconds: dict[str, float], total: int, run: Any) -> list[Figure]:
    search = seconds["rewriting"] - seconds["tagging"]
    whole = seconds["import"] + seconds["generation"]
    rest = seconds["generation"] - seconds["rewriting"]
    unit = "sentences/core-second"
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return [
        Figure("import", total / seconds["import"], unit),
        Figure("tagging", total / seconds["tagging"], unit),
        Figure("search", total / search, unit),
        Figure("claims, measures and rows", total / rest, unit),
        Figure("whole, import included", total / whole, unit, goal=at_least(GOAL)),
        Figure("loading the models", seconds["models"], "core-seconds"),
        Figure("batches not done", run.batches.exclude(state="done").count()),
        Figure("peak memory", peak, "MiB"),
    ]
