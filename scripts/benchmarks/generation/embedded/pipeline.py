"""The whole pipeline: a file is imported, and all of its sentences are rewritten and stored."""

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scripts.benchmarks.generation.embedded.place import Stopwatch
from scripts.benchmarks.generation.parts import Options
from scripts.benchmarks.table import Figure, at_least, at_most

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
class Worked:
    """A run that was worked to its end: sentences and core-seconds, batch by batch."""

    run: Any
    batches: list[tuple[int, float]]

    @property
    def sentences(self) -> int:
        return sum(size for size, _ in self.batches)

    def growth(self, sentences: int) -> tuple[float, float]:
        """Core-milliseconds for each of the last and of the first so many sentences."""
        return _cost(reversed(self.batches), sentences), _cost(self.batches, sentences)


def figures(options: Options) -> list[Figure]:
    """Speed of the whole and of its stages; sentences late in the run beside early ones."""
    from generation import methods
    from generation.methods import word_swap

    watch = Stopwatch()
    with watch.on("models"):
        word_swap.load(word_swap.configure({}), options.seed)
    with watch.on("import"):
        corpus = _imported(options)
    original = methods.METHODS["word_swap"]
    methods.METHODS["word_swap"] = replace(original, load=_timed(word_swap.load, watch))
    with watch.on("generation"):
        worked = run_over(corpus, seed=options.seed)
    methods.METHODS["word_swap"] = original
    _tell(worked, options)
    return _table(watch.seconds, worked)


def run_over(corpus: Any, *, seed: int = 0) -> Worked:
    """A run over a corpus, worked in this process."""
    from generation.services import runs, worker

    run, batches = runs.start(corpus, method="word_swap", seed=seed), []
    sizes = iter(run.batches.order_by("number").values_list("size", flat=True))
    began = time.process_time()
    while worker.step(run):
        ended = time.process_time()
        batches.append((next(sizes), ended - began))
        began = ended
    run.refresh_from_db()
    return Worked(run, batches)


def _imported(options: Options) -> Any:
    from generation import readers, records
    from generation.services import corpora
    from generation.services.sentences import import_sentences

    corpus = corpora.open_corpus("bench")
    with options.file.open("rb") as raw:
        lines = readers.read(
            records.decompressed(options.file, raw), records.format_of(options.file)
        )
        report = import_sentences(lines, corpus=corpus)
    print(
        f"{report.added:,} sentences imported, {report.refused.total():,} refused, "
        f"{report.near_duplicates:,} near-duplicates"
    )
    return corpus


def _timed(load: Callable[..., Any], watch: Stopwatch) -> Callable[..., TimedRewriter]:
    def timed_load(*arguments: Any) -> TimedRewriter:
        rewriter = load(*arguments)
        tagger = TimedTagger(rewriter.swapper.tagger, watch)
        timed = replace(rewriter, swapper=replace(rewriter.swapper, tagger=tagger))
        return TimedRewriter(timed, rewriter.identities, watch)

    return timed_load


def _tell(worked: Worked, options: Options) -> None:
    from generation import selectors

    _show(selectors.candidates(worked.run), options.show, options.seed)
    for name, count in selectors.funnel(worked.run).items():
        print(f"{name.replace('_', ' '):<20}{count:>8,}{count / worked.sentences:>8.1%}")


def _show(candidates: Any, number: int, seed: int) -> None:
    ids = list(candidates.values_list("pk", flat=True))
    chosen = random.Random(seed).sample(ids, min(number, len(ids)))
    for candidate in candidates.filter(pk__in=chosen):
        fall = candidate.source_score - candidate.score
        print(f"{candidate.kind}, {fall:+.1f} nats lost")
        print(f"  {candidate.sentence.text}\n  {candidate.text}\n")


def _table(seconds: dict[str, float], worked: Worked) -> list[Figure]:
    total = worked.sentences
    search = seconds["rewriting"] - seconds["tagging"]
    rest = seconds["generation"] - seconds["rewriting"]
    whole = seconds["import"] + seconds["generation"]
    compared = min(COMPARED, total // 2)
    last, first = worked.growth(compared)
    return [
        Figure("import", total / seconds["import"], UNIT),
        Figure("tagging", total / seconds["tagging"], UNIT),
        Figure("search", total / search, UNIT),
        Figure("claims, measures and rows", total / rest, UNIT),
        Figure("whole, import included", total / whole, UNIT, goal=at_least(GOAL)),
        Figure(f"last {compared:,} sentences", last, "core-ms each", reference=first),
        Figure(
            "batches not done", worked.run.batches.exclude(state="done").count(), goal=at_most(0)
        ),
        Figure("loading the models", seconds["models"], "core-seconds"),
    ]


def _cost(batches: Iterable[tuple[int, float]], sentences: int) -> float:
    """Core-milliseconds a sentence, over the first batches that hold so many."""
    counted, seconds = 0, 0.0
    for size, taken in batches:
        if counted >= sentences:
            break
        counted, seconds = counted + size, seconds + taken
    return 1000 * seconds / counted
