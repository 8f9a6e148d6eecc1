"""PAWS 5, ESIM as the paper describes it: sentence encodings, and no attention between words.

Its Table 6 gives ESIM no word interaction, so this is the encoding half of Chen et al. (2017).
"""

from typing import Any

import torch
from torch import nn

from evaluation.networks.layers import BiLstm, both, greatest, perceptron

HIDDEN, WIDE = 100, 200


class Network(nn.Module):
    """A perceptron on [u; v; |u - v|; u * v] of the max pooled encodings."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.read = BiLstm(width, HIDDEN)
        self.judge = nn.Sequential(perceptron(8 * HIDDEN, WIDE), nn.Linear(WIDE, 1))

    def forward(self, one: Any, mask1: Any, other: Any, mask2: Any) -> Any:
        read1, read2 = both(self.read, one, mask1, other, mask2)
        u, v = greatest(read1, mask1), greatest(read2, mask2)
        return self.judge(torch.cat([u, v, (u - v).abs(), u * v], 1))[:, 0]
