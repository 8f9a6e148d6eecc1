"""Networks over word vectors as models of the contract."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence

from evaluation.contract import Pretrainable, Tell, silent
from evaluation.data import Pairs
from evaluation.networks.training import Encode, Examples, FittedNetwork, Settings, fit_in_turn
from evaluation.vectors import Vectors, number_words


@dataclass(frozen=True)
class NetworkModel(Pretrainable):
    """A network by name: `build` takes the width of the word vectors."""

    name: str
    build: Callable[[int], Any]
    vectors: Vectors = field(default_factory=Vectors)
    settings: Settings = Settings()

    @property
    def identity(self) -> dict[str, str]:
        return {"name": self.name, "vectors": self.vectors.identity} | self.settings.identity

    def fit_in_turn(
        self, trains: Sequence[Pairs], dev: Pairs, *, seed: int, tell: Tell = silent
    ) -> FittedNetwork:
        return fit_in_turn(self._load, trains, dev, self.settings, seed=seed, tell=tell)

    def _load(self) -> tuple[Any, Encode]:
        width = self.vectors.table([""]).shape[1]
        return self.build(width), partial(examples, vectors=self.vectors)


def examples(pairs: Pairs, vectors: Vectors) -> Examples:
    """Encode pairs: the numbers of the words of both texts, and a table of their vectors."""
    numbers, types = number_words((*pairs.first, *pairs.second))
    # Number 0 is padding, whose vector is zero.
    table = torch.nn.functional.pad(torch.from_numpy(vectors.table(types)), (0, 0, 1, 0))
    texts = [torch.from_numpy(row + 1) for row in numbers]
    rows = list(zip(texts[: len(pairs)], texts[len(pairs) :], strict=True))
    lengths = np.array(
        [max(len(tokens1), len(tokens2)) for tokens1, tokens2 in rows], dtype=np.int64
    )

    def collate(batch: Sequence[Any]) -> tuple[Any, ...]:
        # Both sides have one width, so that a layer can read them together.
        sides = [text for side in zip(*batch, strict=True) for text in side]
        tokens1, tokens2 = pad_sequence(sides, batch_first=True).chunk(2)
        return table[tokens1], tokens1 != 0, table[tokens2], tokens2 != 0

    return Examples(rows, lengths, pairs.labels, collate)
