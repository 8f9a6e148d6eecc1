"""Word swap judged by a second, neural model: sentences per second.

    python -m benchmarks.generation.rescoring collect --file FILE --out FOLDER
    python -m benchmarks.generation.rescoring measure FOLDER --device cuda --precision bfloat16

`collect` swaps words with the embedded models and writes the rewrites that a judge would get.
`measure` needs numpy, torch and transformers alone, so that a machine with a GPU needs nothing
else. Without --model, the weights are random, which costs the same: FOLDER then also holds the
configuration and the tokeniser of the model to build.
"""

import argparse
import gzip
import json
import tempfile
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from benchmarks.table import Figure, at_least, render

if TYPE_CHECKING:
    from generation.nlp.adapters.causal import CausalLanguageModel
    from generation.nlp.language_model import Floats

# A source sentence and its rewrites, likeliest first.
Group: TypeAlias = list[str]

FILE = "rewrites.jsonl.gz"
MOST = 25
GOAL_ON_A_GPU = 200
IN_THE_OTHER_WAY = 100  # sentences, for comparison


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.generation.rescoring", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    collecting = commands.add_parser("collect")
    collecting.add_argument("--file", type=Path, required=True, help="txt, tsv or jsonl")
    collecting.add_argument("--lines", type=int, default=1_000, help="of the file")
    collecting.add_argument("--out", type=Path, required=True)
    collecting.add_argument("--settings", type=json.loads, default={}, help="of word swap, as JSON")
    measuring = commands.add_parser("measure")
    measuring.add_argument("folder", type=Path)
    measuring.add_argument("--model", type=Path, help="default: random weights")
    measuring.add_argument("--sentences", type=int, help="with rewrites; default: all")
    measuring.add_argument("--rescored", type=int, default=8, help="rewrites of a sentence")
    measuring.add_argument("--device", default="cpu")
    measuring.add_argument("--precision", nargs="+", default=["float32"])
    measuring.add_argument("--threads", type=int, default=1)
    measuring.add_argument("--both", action="store_true", help="compare trees and plain batches")
    options = parser.parse_args()
    if options.command == "collect":
        _collect(options)
    else:
        print(render([figure for figures in _measure(options) for figure in figures]))


def _collect(options: argparse.Namespace) -> None:
    """Write a line for each sentence that has rewrites."""
    from benchmarks.generation.parts import embedded_model, texts_of
    from generation.nlp import vector_likeness
    from generation.nlp.adapters.spacy_tagger import SpacyTagger
    from generation.nlp.settings import WordSwapSettings
    from generation.nlp.word_swap import WordSwapper

    settings = WordSwapSettings.from_dict({**options.settings, "keep_alternatives": MOST - 1})
    swapper = WordSwapper(
        SpacyTagger(), embedded_model(), settings, vector_likeness.load_embedded()
    )
    lines = list(islice(texts_of(options.file), options.lines))
    options.out.mkdir(parents=True, exist_ok=True)
    began = time.process_time()
    with gzip.open(options.out / FILE, "wt", encoding="utf-8") as file:
        for line, outcome in zip(lines, swapper.outcomes(lines), strict=True):
            for rewrite in outcome.rewrites:
                group = [
                    line,
                    rewrite.text,
                    *(alternative.text for alternative in rewrite.alternatives),
                ]
                file.write(json.dumps(group, ensure_ascii=False) + "\n")
    print(f"{len(lines)} lines, {time.process_time() - began:.1f} CPU-seconds")


def _read_groups(folder: Path, count: int | None) -> list[Group]:
    with gzip.open(folder / FILE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in islice(lines, count)]


def _measure(options: argparse.Namespace) -> Iterator[list[Figure]]:
    import torch

    torch.set_num_threads(options.threads)
    groups = [
        group[: options.rescored + 1] for group in _read_groups(options.folder, options.sentences)
    ]
    on_a_gpu = options.device.startswith("cuda")
    device_name = torch.cuda.get_device_name(options.device) if on_a_gpu else options.device
    rewrites = sum(len(group) - 1 for group in groups)
    print(f"{len(groups)} sentences with {rewrites} rewrites to judge; {device_name}", flush=True)
    with tempfile.TemporaryDirectory(prefix="pawsmith-bench-") as folder:
        model = options.model or _save_random_model(options.folder, Path(folder))
        for precision in options.precision:
            yield from _rates(model, groups, precision, options)


def _save_random_model(folder: Path, new_folder: Path) -> Path:
    """Save a model with the configuration and the tokeniser of `folder`, and random weights."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    torch.manual_seed(0)
    AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(folder)).save_pretrained(new_folder)
    AutoTokenizer.from_pretrained(folder).save_pretrained(new_folder)
    return new_folder


def _rates(
    folder: Path, groups: Sequence[Group], precision: str, options: argparse.Namespace
) -> Iterator[list[Figure]]:
    """Yield the figures of the way that the device uses, then of the other way if asked for."""
    from generation.nlp.adapters.causal import CausalLanguageModel

    model = CausalLanguageModel.load(folder, {}, device=options.device, precision=precision)
    list(model.log_likelihoods(groups[:IN_THE_OTHER_WAY]))
    figures, scores = _time_model(model, groups, precision)
    yield figures
    if options.both:
        model.reads_batches = not model.reads_batches
        other_figures, expected = _time_model(model, groups[:IN_THE_OTHER_WAY], precision)
        difference = max(abs(a - b).max() for a, b in zip(scores, expected, strict=False))
        yield [
            *other_figures,
            Figure(f"{precision}: largest difference", float(difference), "nats"),
        ]


def _time_model(
    model: "CausalLanguageModel", groups: Sequence[Group], name: str
) -> tuple[list[Figure], list["Floats"]]:
    began, cpu = time.perf_counter(), time.process_time()
    scores = list(model.log_likelihoods(groups))
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    name = f"{name}, {'batches' if model.reads_batches else 'trees'}"
    goal = at_least(GOAL_ON_A_GPU) if model.model.device.type == "cuda" else None
    figures = [
        Figure(f"{name}: CPU time", cpu, "s"),
        Figure(f"{name}: judged", len(groups) / wall, "sentences/s", goal=goal),
    ]
    print(*(f"{figure.name} {figure.value:.4g} {figure.unit}" for figure in figures), flush=True)
    return figures, scores


if __name__ == "__main__":
    main()
