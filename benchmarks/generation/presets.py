"""Yield and speed of each preset of word swap, on each file: `--file` may be repeated.

Core-seconds are CPU time of tagging and search on one thread; nothing is imported or stored. The
first preset is slower by a few per cent, because the words of a file are new to the tagger. Labels
are drawn by the estimate of paraphrases, to tell what shapes give away. With `--judge FOLDER`, two
more ways run with the language model in that folder as `rescorer`, on two threads.
"""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean
from typing import Any

from benchmarks.generation.embedded.pipeline import GOAL, UNIT
from benchmarks.generation.embedded.place import ONE_THREAD, fresh_installation, texts
from benchmarks.generation.parts import Options
from benchmarks.generation.shapes import shape_figures
from benchmarks.table import Figure, Goal, at_least, at_most
from generation.nlp.phrases import Kind

SPEEDS = {"default": at_least(GOAL), "balanced": at_least(100)}
JUDGE = "judge"
THREADS_OF_JUDGE = 2
# With a second model, this minimum probability gives more candidates than `default`, as good ones.
STRICT = 0.67
# For 1,000 sentences, judged.
MOST_SECONDS = 300
WARM_UP = 20
# By default, a thread that waits for the other one keeps its core busy: if another process needs a
# core, judging takes many times as long.
WAIT = {"OMP_WAIT_POLICY": "PASSIVE"}


@dataclass(frozen=True, slots=True)
class Way:
    """A preset, loaded, with what it must reach."""

    name: str
    rewriter: Any
    speed: Goal | None = None
    is_judged: bool = False


def figures(options: Options) -> list[Figure]:
    """The figures of every preset on the first file, then on the next."""
    os.environ |= ONE_THREAD | WAIT  # before numpy and torch are loaded
    with fresh_installation():
        ways = [*_preset_ways(options), *_judged_ways(options)]
        for way in ways:  # the first search of a process loads more
            list(way.rewriter.outcomes(texts(options.file, WARM_UP)))
        return [figure for file in options.files for figure in _file_figures(file, ways, options)]


def _preset_ways(options: Options) -> Iterator[Way]:
    """Yield the presets."""
    from generation.methods.word_swap import METHOD

    for preset in METHOD.presets:
        rewriter = _load_rewriter(preset.settings, options.seed)
        yield Way(preset.name, rewriter, SPEEDS.get(preset.name))


def _judged_ways(options: Options) -> Iterator[Way]:
    """Yield ways with a second language model, if there is one."""
    if options.judge is None:
        return
    import torch

    from generation.methods.word_swap import METHOD
    from generation.model_store import models_folder

    torch.set_num_threads(THREADS_OF_JUDGE)
    models_folder().mkdir(parents=True)
    (models_folder() / JUDGE).symlink_to(options.judge.resolve())
    rescorer: dict[str, Any] = {"rescorer": JUDGE}
    if options.rescored is not None:
        rescorer["rescored"] = options.rescored
    for title, settings in (
        ("more", METHOD.preset("more").settings),
        (f"acceptance {STRICT}", {"acceptance": STRICT}),
    ):
        rewriter = _load_rewriter({**settings, **rescorer}, options.seed)
        yield Way(f"{title}, second model", rewriter, is_judged=True)


def _load_rewriter(settings: Any, seed: int) -> Any:
    from generation.methods.word_swap import METHOD
    from generation.nlp import paraphrase

    # The estimate of paraphrases is for figures alone, but of the preset balanced.
    rewriter: Any = METHOD.load(METHOD.configure(settings), seed)
    return replace(rewriter, paraphrase=paraphrase.load_embedded())


def _file_figures(file: Path, ways: Sequence[Way], options: Options) -> Iterator[Figure]:
    sentences = texts(file, options.sentences)
    print(f"{file.name}: {len(sentences):,} sentences", flush=True)
    for way in ways:
        yield from _way_figures(f"{file.name}, {way.name}", way, sentences)


def _way_figures(name: str, way: Way, sentences: Sequence[str]) -> Iterator[Figure]:
    began, cpu_before = time.perf_counter(), time.process_time()
    outcomes = list(way.rewriter.outcomes(sentences))
    seconds, core_seconds = time.perf_counter() - began, time.process_time() - cpu_before
    best = [outcome.rewrites[0] for outcome in outcomes if outcome.rewrites]
    probabilities = [rewrite.probability for rewrite in best if rewrite.probability is not None]
    yield Figure(f"{name}: with a candidate", 100 * len(best) / len(outcomes), "%")
    moves = sum(rewrite.kind == Kind.ADVERBIAL for rewrite in best)
    yield Figure(f"{name}: with a moved adverbial", 100 * moves / len(outcomes), "%")
    if probabilities:
        yield Figure(f"{name}: estimated to be accepted", 100 * mean(probabilities), "%")
        yield from shape_figures(name, sentences, outcomes)
    yield Figure(f"{name}: speed", len(outcomes) / core_seconds, UNIT, goal=way.speed)
    if way.is_judged:
        seconds_of_thousand, goal = 1000 * seconds / len(outcomes), at_most(MOST_SECONDS)
        yield Figure(f"{name}: time", seconds_of_thousand, "s/1,000 sentences", goal=goal)
