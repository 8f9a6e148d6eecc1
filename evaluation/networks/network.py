"""Networks over word vectors as models of the contract."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from evaluation.contract import Scores, Tell, check_learnable, silent
from evaluation.data import Pairs
from evaluation.networks import training
from evaluation.networks.training import Examples, Settings, reproducible
from evaluation.vectors import Vectors, numbered


@dataclass(frozen=True)
class NetworkModel:
    """A network by name: `build` takes the width of the word vectors."""

    name: str
    build: Callable[[int], Any]
    vectors: Vectors = field(default_factory=Vectors)
    settings: Settings = Settings()

    @property
    def identity(self) -> dict[str, str]:
        return {"name": self.name, "vectors": self.vectors.identity} | self.settings.identity

    def fit(self, train: Pairs, dev: Pairs, *, seed: int, tell: Tell = silent) -> "FittedNetwork":
        return self.fit_in_turn([train], dev, seed=seed, tell=tell)

    def fit_in_turn(
        self, trains: Sequence[Pairs], dev: Pairs, *, seed: int, tell: Tell = silent
    ) -> "FittedNetwork":
        for train in trains:
            check_learnable(train, dev)
        sets = [examples(some, self.vectors) for some in trains]
        chosen_by = examples(dev, self.vectors)
        with reproducible(self.settings, seed=seed):
            width = chosen_by.collate(chosen_by.rows[:1])[0].shape[2]
            module = self.build(width)
            training.train_in_turn(module, sets, chosen_by, self.settings, seed=seed, tell=tell)
        return FittedNetwork(module, self.vectors, self.settings)


@dataclass(frozen=True)
class FittedNetwork:
    """A trained network."""

    module: Any
    vectors: Vectors
    settings: Settings

    @property
    def parameters(self) -> int:
        return sum(weight.numel() for weight in self.module.parameters())

    def scores(self, pairs: Pairs) -> Scores:
        if not len(pairs):
            return np.empty(0)
        with reproducible(self.settings):
            return training.scores(self.module, examples(pairs, self.vectors), self.settings)


def examples(pairs: Pairs, vectors: Vectors) -> Examples:
    """Encode pairs: the numbers of the words of both texts, and a table of their vectors."""
    numbers, types = numbered((*pairs.first, *pairs.second))
    # Number 0 is padding, whose vector is zero.
    table = torch.nn.functional.pad(torch.from_numpy(vectors.table(types)), (0, 0, 1, 0))
    texts = [torch.from_numpy(row + 1) for row in numbers]
    rows = list(zip(texts[: len(pairs)], texts[len(pairs) :], strict=True))
    lengths = np.array([max(len(one), len(other)) for one, other in rows], dtype=np.int64)

    def collate(batch: Sequence[Any]) -> tuple[Any, ...]:
        # Both sides have one width, so that a layer can read them together.
        sides = [text for side in zip(*batch, strict=True) for text in side]
        one, other = pad_sequence(sides, batch_first=True).chunk(2)
        return table[one], one != 0, table[other], other != 0

    return Examples(rows, lengths, pairs.labels, collate)
