"""The whole pipeline: a file is imported, and all of its sentences are rewritten and stored."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from statistics import mean
from typing import Any

from benchmarks.generation.embedded.place import Stopwatch, yardstick
from benchmarks.generation.parts import Options
from benchmarks.table import Figure, at_least, at_most

GOAL = 150
COMPARED = 10_000
UNIT = "sentences/core-second"


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


@dataclass(frozen=True)
class WorkedBatch:
    """What a batch took, and what a fixed piece of work took right after it, in core-seconds."""

    size: int
    seconds: float
    yardstick: float


@dataclass(frozen=True)
class Worked:
    """A run that was worked to its end, batch by batch."""

    run: Any
    batches: list[WorkedBatch]

    @property
    def sentences(self) -> int:
        return sum(batch.size for batch in self.batches)

    def growth(self, sentences: int) -> tuple[float, float]:
        """Core-milliseconds for each of the last and of the first `sentences`.

        The first are given at the pace that the machine had over the last.
        """
        first_batches = _batches_with(self.batches, sentences)
        last_batches = _batches_with(self.batches[::-1], sentences)
        return _cost(last_batches), _cost(first_batches) * _pace(last_batches) / _pace(
            first_batches
        )


def figures(options: Options) -> list[Figure]:
    """Speed of the whole and of its stages; late sentences of the run compared with early ones."""
    from generation import methods
    from generation.methods import word_swap

    watch = Stopwatch()
    with watch.on("models"):
        word_swap.METHOD.load(word_swap.METHOD.configure({}), options.seed)
    with watch.on("import"):
        corpus = _import(options)
    original = methods.METHODS["word_swap"]
    methods.METHODS["word_swap"] = replace(
        original, rewriter=_time_rewriter(word_swap.rewriter, watch)
    )
    with watch.on("generation"):
        run = run_over(corpus, seed=options.seed)
    methods.METHODS["word_swap"] = original
    _print_candidates(run, options)
    return _table(watch.seconds, run)


def run_over(corpus: Any, *, seed: int = 0) -> Worked:
    """A run over a corpus, worked in this process."""
    from generation.services import runs, worker

    run, batches = runs.start(corpus, method="word_swap", seed=seed), []
    sizes = iter(run.batches.order_by("number").values_list("size", flat=True))
    began = time.process_time()
    while worker.step(run):
        seconds = time.process_time() - began
        batches.append(WorkedBatch(next(sizes), seconds, yardstick()))
        began = time.process_time()
    run.refresh_from_db()
    return Worked(run, batches)


def _import(options: Options) -> Any:
    from annotation.imports.kinds import KINDS
    from annotation.imports.lines import make_lines, open_file
    from generation.services import corpora
    from generation.services.sentences import import_sentences

    corpus = corpora.open_corpus("bench")
    kind = KINDS["sentences"]
    with open_file(options.file, kind.fields) as file:
        report = import_sentences(make_lines(file.lines, kind.make), corpus=corpus)
    print(
        f"{report.added:,} sentences imported, {report.refused.total():,} refused, "
        f"{report.near_duplicates:,} near-duplicates"
    )
    return corpus


def _time_rewriter(load: Callable[..., Any], watch: Stopwatch) -> Callable[..., TimedRewriter]:
    def timed_load(*arguments: Any) -> TimedRewriter:
        rewriter = load(*arguments)
        rewriter_with_clock = replace(rewriter, tagger=TimedTagger(rewriter.tagger, watch))
        return TimedRewriter(rewriter_with_clock, rewriter.identities, watch)

    return timed_load


def _print_candidates(run: Worked, options: Options) -> None:
    from generation import selectors

    _print_sample(selectors.candidates(run.run), options.show, options.seed)
    for name, count in selectors.funnel(run.run).items():
        print(f"{name.replace('_', ' '):<20}{count:>8,}{count / run.sentences:>8.1%}")


def _print_sample(candidates: Any, number: int, seed: int) -> None:
    ids = list(candidates.values_list("pk", flat=True))
    chosen = random.Random(seed).sample(ids, min(number, len(ids)))
    for candidate in candidates.filter(pk__in=chosen):
        fall = candidate.source_score - candidate.score
        print(f"{candidate.kind}, {fall:+.1f} nats lost")
        print(f"  {candidate.sentence.text}\n  {candidate.text}\n")


def _table(seconds: dict[str, float], run: Worked) -> list[Figure]:
    total = run.sentences
    search = seconds["rewriting"] - seconds["tagging"]
    storing = seconds["generation"] - seconds["rewriting"]
    all_seconds = seconds["import"] + seconds["generation"]
    compared = min(COMPARED, total // 2)
    last_cost, first_cost = run.growth(compared)
    return [
        Figure("import", total / seconds["import"], UNIT),
        Figure("tagging", total / seconds["tagging"], UNIT),
        Figure("search", total / search, UNIT),
        Figure("claims, measures and rows", total / storing, UNIT),
        Figure("whole, import included", total / all_seconds, UNIT, goal=at_least(GOAL)),
        Figure(f"last {compared:,} sentences", last_cost, "core-ms each", reference=first_cost),
        Figure("batches not done", run.run.batches.exclude(state="done").count(), goal=at_most(0)),
        Figure("loading the models", seconds["models"], "core-seconds"),
    ]


def _batches_with(batches: list[WorkedBatch], sentences: int) -> list[WorkedBatch]:
    """Return the first batches that together have this number of sentences."""
    before = accumulate((batch.size for batch in batches), initial=0)
    return [batch for batch, counted in zip(batches, before, strict=False) if counted < sentences]


def _cost(batches: list[WorkedBatch]) -> float:
    return 1000 * sum(batch.seconds for batch in batches) / sum(batch.size for batch in batches)


def _pace(batches: list[WorkedBatch]) -> float:
    return mean(batch.yardstick for batch in batches)
