"""Models of datasets: `scripts/bench evaluation [MODEL ...]`; without a name, all of them.

Each model is trained on one thread on 8,000 pairs, half from the order set and half as long as real
ones, and then scores others. The reference of its predictions is a plain loop over the same model:
batches of 64 in the order of the pairs.
"""

import argparse
import os
import time
from typing import Any

# Read when numpy is loaded: a model has one core.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from benchmarks.dataset.place import peak_mb
from benchmarks.table import Figure, at_least, at_most, render
from evaluation import measures
from evaluation.data import Pairs
from evaluation.models_by_name import NETWORKS, model
from support.model_pairs import order_set, word_swaps

NAMES = ("bow", *NETWORKS)
# The paper's models that a manager waits for; the others have no goal.
HURRIED = ("esim", "bilstm", "diin")
TRAIN_SECONDS, RATE, MEMORY = at_most(120), at_least(2000), at_most(1500)
PLAIN_BATCH = 64


def main() -> None:
    parser = argparse.ArgumentParser(prog="scripts/bench evaluation", description=__doc__)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=", ".join(NAMES))
    parser.add_argument("--pairs", type=int, default=8000, help="to train on; default: 8,000")
    options = parser.parse_args()
    if unknown := set(options.models) - set(NAMES):
        parser.error(f"no model {', '.join(sorted(unknown))}; there are {', '.join(NAMES)}")
    train, dev, test = (
        _sample_pairs(size, seed) for seed, size in enumerate((options.pairs, 1000, 4000))
    )
    figures = [
        figure
        for name in options.models or NAMES
        for figure in _figures(name, train=train, dev=dev, test=test)
    ]
    peak = peak_mb(os.getpid())
    print(render([*figures, Figure("peak of this process", peak, "MB", goal=MEMORY)]))


def _sample_pairs(count: int, seed: int) -> Pairs:
    half = count // 2
    return order_set(half, seed=seed) + word_swaps(count - half, seed=seed)


def _figures(name: str, *, train: Pairs, dev: Pairs, test: Pairs) -> list[Figure]:
    steps_told: list[int] = []
    began = time.process_time()
    fitted = model(name).fit(train, dev, seed=1, tell=lambda done, _: steps_told.append(done))
    training_seconds = time.process_time() - began
    began = time.process_time()
    scores = fitted.scores(test)
    rate = len(test) / (time.process_time() - began)
    accuracy = measures.confusion(test.labels, scores).scores.accuracy
    # The last call only says that training has ended.
    steps = len(steps_told) - 1
    print(f"{name}: {fitted.parameters:,} parameters, {steps:,} steps, accuracy {accuracy:.3f}")
    goal = TRAIN_SECONDS if name in HURRIED else None
    plain_rate = _plain_rate(fitted, test) if name in NETWORKS else None
    unit_reference_goal = "pairs/core-second", plain_rate, RATE if plain_rate else None
    return [
        Figure(f"{name}: training", training_seconds, "CPU-s", goal=goal),
        Figure(f"{name}: predictions", rate, *unit_reference_goal),
    ]


def _plain_rate(fitted: Any, pairs: Pairs) -> float:
    """Pairs a second of a loop that pads and scores them as they come."""
    import torch

    from evaluation.networks.training import Settings, reproducible

    began = time.process_time()
    with reproducible(Settings()), torch.inference_mode():
        encoded = fitted.encode(pairs)
        for start in range(0, len(pairs), PLAIN_BATCH):
            rows = encoded.rows[start : start + PLAIN_BATCH]
            torch.sigmoid(fitted.module(*encoded.collate(rows))).numpy()
    return len(pairs) / (time.process_time() - began)


if __name__ == "__main__":
    main()
