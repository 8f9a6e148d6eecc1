"""ESIM as published, with attention between words (Chen et al. 2017, 3)."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional

from evaluation.networks.layers import BiLstm, attended, both, greatest, mean, perceptron

# A multiple of 16 numbers, with which a processor computes faster than with 100.
HIDDEN = 96


class Network(nn.Module):
    """Encodes, aligns words, compares each with its alignment, reads the comparisons in order."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.read = BiLstm(width, HIDDEN)
        self.compare = nn.Linear(8 * HIDDEN, HIDDEN)
        self.compose = BiLstm(HIDDEN, HIDDEN)
        self.judge = nn.Sequential(perceptron(8 * HIDDEN, HIDDEN), nn.Linear(HIDDEN, 1))

    def forward(self, vectors1: Any, mask1: Any, vectors2: Any, mask2: Any) -> Any:
        read1, read2 = both(self.read, vectors1, mask1, vectors2, mask2)
        scores = read1 @ read2.transpose(1, 2)
        aligned2 = attended(scores.transpose(1, 2), read1, mask1)
        local1 = self._compare(read1, attended(scores, read2, mask2))
        local2 = self._compare(read2, aligned2)
        composed1, composed2 = both(self.compose, local1, mask1, local2, mask2)
        pooled = [mean(composed1, mask1), greatest(composed1, mask1)]
        pooled += [mean(composed2, mask2), greatest(composed2, mask2)]
        return self.judge(torch.cat(pooled, 1))[:, 0]

    def _compare(self, read: Any, aligned: Any) -> Any:
        """Return the layer on [read; aligned; read - aligned; read * aligned].

        The weights of the difference are added to those of its terms, which is faster.
        """
        weight1, weight2, less, times = self.compare.weight.chunk(4, 1)
        weight = torch.cat([weight1 + less, weight2 - less, times], 1)
        inputs = torch.cat([read, aligned, read * aligned], 2)
        return functional.linear(inputs, weight, self.compare.bias).relu()
