"""One loop trains all networks and encoders, and keeps the weights that are best on dev."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from evaluation import measures
from evaluation.contract import Scores, Tell, check_learnable, tells_in_turn
from evaluation.data import Pairs

# Pads the examples of a batch: returns what the module takes.
Collate: TypeAlias = Callable[[Sequence[Any]], tuple[Any, ...]]
Places: TypeAlias = NDArray[np.intp]

# Batches among which examples of similar length are put together: all still differ by epoch.
BUCKET = 20
# No gradients are stored when scores are computed, so more pairs fit into a batch.
SCORED_TOGETHER = 128
# What cuBLAS needs to compute the same sums each time
# (https://docs.nvidia.com/cuda/cublas/#results-reproducibility).
CUBLAS_WORKSPACE = "CUBLAS_WORKSPACE_CONFIG", ":4096:8"


@dataclass(frozen=True, slots=True)
class Settings:
    """How a model is trained: with Adam, which keeps the weights of the epoch that is best on dev.

    In a share `warm_up` of the steps the rate rises, and then it falls to zero; without one it
    stays. `decay` pulls weights towards zero (AdamW). `device` is where torch computes: "cpu", or
    "cuda" for a GPU.
    """

    epochs: int = 20
    batch: int = 64
    rate: float = 1e-3
    clip: float = 5.0
    patience: int = 3
    warm_up: float | None = None
    decay: float = 0.0
    threads: int = 1
    device: str = "cpu"

    @property
    def identity(self) -> dict[str, str]:
        settings = {name: str(value) for name, value in asdict(self).items()}
        return settings | {"torch": str(torch.__version__)}

    def steps(self, pairs: int) -> int:
        return self.epochs * -(-pairs // self.batch)


@dataclass(frozen=True, slots=True)
class Examples:
    """Encoded pairs with their lengths and labels."""

    rows: Sequence[Any]
    lengths: NDArray[np.int64]
    labels: NDArray[np.int8]
    collate: Collate

    def batches(self, size: int, order: Places) -> list[Places]:
        """Return the places of each batch: within a bucket, examples are sorted by length."""
        wide = size * BUCKET
        buckets = [order[start : start + wide] for start in range(0, len(order), wide)]
        by_length = [bucket[np.argsort(self.lengths[bucket], kind="stable")] for bucket in buckets]
        return [row[at : at + size] for row in by_length for at in range(0, len(row), size)]

    def inputs(self, places: Places) -> tuple[Any, ...]:
        return self.collate([self.rows[place] for place in places])


# Encodes pairs.
Encode: TypeAlias = Callable[[Pairs], Examples]


@contextmanager
def reproducible(settings: Settings, *, seed: int = 0) -> Iterator[None]:
    """Compute with one seed and deterministic algorithms, and restore what was set before."""
    os.environ.setdefault(*CUBLAS_WORKSPACE)
    threads_before, deterministic_before = (
        torch.get_num_threads(),
        torch.are_deterministic_algorithms_enabled(),
    )
    torch.set_num_threads(settings.threads)
    torch.use_deterministic_algorithms(True)
    try:
        with torch.random.fork_rng(devices=[] if settings.device == "cpu" else [settings.device]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.use_deterministic_algorithms(deterministic_before)
        torch.set_num_threads(threads_before)


@dataclass(frozen=True)
class FittedNetwork:
    """A trained module, and how pairs become its examples."""

    module: Any
    encode: Encode
    settings: Settings

    @property
    def parameters(self) -> int:
        return sum(weight.numel() for weight in self.module.parameters())

    def scores(self, pairs: Pairs) -> Scores:
        if not len(pairs):
            return np.empty(0)
        with reproducible(self.settings):
            return scores(self.module, self.encode(pairs), self.settings)


def fit_in_turn(
    load: Callable[[], tuple[Any, Encode]],
    trains: Sequence[Pairs],
    dev: Pairs,
    settings: Settings,
    *,
    seed: int,
    tell: Tell,
) -> FittedNetwork:
    """Train the module that `load` returns as `Pretrainable.fit_in_turn` does."""
    for pairs in trains:
        check_learnable(pairs, dev)
    with reproducible(settings, seed=seed):
        module, encode = load()
        sets, dev_examples = list(map(encode, trains)), encode(dev)
        tell_of_set = tells_in_turn(tell, [settings.steps(len(examples.rows)) for examples in sets])
        for examples, tell_one in zip(sets, tell_of_set, strict=True):
            train(module, examples, dev_examples, settings, seed=seed, tell=tell_one)
    return FittedNetwork(module, encode, settings)


def train(
    module: Any, examples: Examples, dev: Examples, settings: Settings, *, seed: int, tell: Tell
) -> None:
    """Train until `patience` epochs bring nothing better on dev, or the accuracy is 1."""
    module.to(settings.device)
    generator = np.random.default_rng(seed)
    most_steps = settings.steps(len(examples.rows))
    steps_of_epoch = most_steps // settings.epochs
    step = _make_step(module, settings, most_steps)
    best_quality, best_epoch, best_state = (-1.0, 0.0), 0, module.state_dict()
    for epoch in range(settings.epochs):
        module.train()
        batches = examples.batches(settings.batch, generator.permutation(len(examples.rows)))
        for number, place in enumerate(generator.permutation(len(batches)), start=1):
            step(examples, batches[place])
            tell(epoch * steps_of_epoch + number, most_steps)
        quality = measures.accuracy_and_likelihood(dev.labels, scores(module, dev, settings))
        if quality > best_quality:
            best_quality, best_epoch, best_state = quality, epoch, deepcopy(module.state_dict())
        if best_quality[0] == 1.0 or epoch - best_epoch >= settings.patience:
            break
    module.load_state_dict(best_state)
    tell(most_steps, most_steps)


def _make_step(module: Any, settings: Settings, most: int) -> Callable[[Examples, Places], None]:
    """Return what does one step of the optimizer, with the examples at some places."""
    weights = [weight for weight in module.parameters() if weight.requires_grad]
    optimizer = torch.optim.AdamW(weights, lr=settings.rate, weight_decay=settings.decay)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, _rate_schedule(settings.warm_up, most))
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits

    def step(examples: Examples, places: Places) -> None:
        labels = torch.from_numpy(examples.labels[places]).float().to(settings.device)
        optimizer.zero_grad()
        loss_of(module(*_inputs(examples, places, settings)), labels).backward()
        torch.nn.utils.clip_grad_norm_(weights, settings.clip, error_if_nonfinite=True)
        optimizer.step()
        schedule.step()

    return step


def _rate_schedule(warm_up: float | None, steps: int) -> Callable[[int], float]:
    """Return the share of the rate by step: rising to 1, then falling to 0; else always 1."""
    if warm_up is None:
        return lambda _: 1.0
    top_step = max(1, round(warm_up * steps))
    return lambda step: min(
        (step + 1) / top_step, max(0.0, (steps - step) / max(1, steps - top_step))
    )


def _inputs(examples: Examples, places: Places, settings: Settings) -> list[Any]:
    return [array.to(settings.device) for array in examples.inputs(places)]


def scores(module: Any, examples: Examples, settings: Settings) -> Scores:
    """Return how likely each example is a paraphrase, in the order given."""
    module.eval()
    values = np.empty(len(examples.rows))
    by_length = np.argsort(examples.lengths, kind="stable")
    with torch.inference_mode():
        for places in examples.batches(SCORED_TOGETHER, by_length):
            logits = module(*_inputs(examples, places, settings))
            values[places] = torch.sigmoid(logits.double()).cpu().numpy()
    return values
