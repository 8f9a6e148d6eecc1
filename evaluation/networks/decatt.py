"""Decomposable attention (Parikh et al. 2016, 3): attend, compare, aggregate; no word order."""

from typing import Any

import torch
from torch import nn

from evaluation.networks.layers import attended, perceptron

WIDE = 200


class Network(nn.Module):
    """Decomposable attention over projected word vectors."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.project = nn.Linear(width, WIDE)
        self.align = Alignment()

    def forward(self, one: Any, mask1: Any, other: Any, mask2: Any) -> Any:
        return self.align(self.project(one), mask1, self.project(other), mask2)


class Alignment(nn.Module):
    """Compares each word with what it is aligned to in the other sentence, and sums up.

    A word is a vector of `WIDE` components.
    """

    def __init__(self) -> None:
        super().__init__()
        self.attend = perceptron(WIDE, WIDE, WIDE)
        self.compare = perceptron(2 * WIDE, WIDE, WIDE)
        self.judge = nn.Sequential(perceptron(2 * WIDE, WIDE, WIDE), nn.Linear(WIDE, 1))

    def forward(self, one: Any, mask1: Any, other: Any, mask2: Any) -> Any:
        scores = self.attend(one) @ self.attend(other).transpose(1, 2)
        aligned1 = attended(scores, other, mask2)
        aligned2 = attended(scores.transpose(1, 2), one, mask1)
        sums = [self._sum(one, aligned1, mask1), self._sum(other, aligned2, mask2)]
        return self.judge(torch.cat(sums, 1))[:, 0]

    def _sum(self, words: Any, aligned: Any, mask: Any) -> Any:
        compared = self.compare(torch.cat([words, aligned], 2))
        return (compared * mask[:, :, None]).sum(1)
