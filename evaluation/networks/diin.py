"""Densely interactive inference network (Gong et al. 2018, 3), small: encode, interact, extract.

Its interaction tensor, word by word of both sentences, is read by convolutions, which see order.
Ours has 16 channels of interaction where theirs has 448, and no characters or tags. It takes the
greatest value of each feature over all places, where theirs reads sentences of a fixed length.
"""

from typing import Any

import torch
from torch import nn

from evaluation.networks.layers import FAR, attended, both, perceptron

CHANNELS, GROWTH, LAYERS = 16, 16, 2
BLOCKS, WIDE = 3, 100


class Network(nn.Module):
    """Words by highway layers and self-attention, their products, and dense convolutions."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.encode = Encoding(width)
        self.project = nn.Linear(width, CHANNELS)
        self.extract = nn.ModuleList(DenseBlock(CHANNELS) for _ in range(BLOCKS))
        self.judge = nn.Sequential(perceptron(CHANNELS, WIDE), nn.Linear(WIDE, 1))

    def forward(self, vectors1: Any, mask1: Any, vectors2: Any, mask2: Any) -> Any:
        words1, words2 = both(self.encode, vectors1, mask1, vectors2, mask2)
        columns1, columns2 = (
            self.project(words1).transpose(1, 2),
            self.project(words2).transpose(1, 2),
        )
        mask = (mask1[:, None, :, None] & mask2[:, None, None, :]).float()
        cells = columns1[:, :, :, None] * columns2[:, :, None, :] * mask
        for block in self.extract:
            cells, mask = block(cells, mask)
        return self.judge(cells.masked_fill(mask == 0, FAR).amax((2, 3)))[:, 0]


class Encoding(nn.Module):
    """A highway layer, then attention within the sentence, fused by gates."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.highway = nn.Linear(width, 2 * width)
        self.attend = nn.Linear(width, width, bias=False)
        self.fuse = nn.Linear(2 * width, 3 * width)

    def forward(self, vectors: Any, mask: Any) -> Any:
        new, gate = self.highway(vectors).chunk(2, 2)
        words = gate.sigmoid() * new.relu() + (1 - gate.sigmoid()) * vectors
        context = attended(self.attend(words) @ words.transpose(1, 2), words, mask)
        candidate, keep, add = self.fuse(torch.cat([words, context], 2)).chunk(3, 2)
        return keep.sigmoid() * words + add.sigmoid() * candidate.tanh()


class DenseBlock(nn.Module):
    """Convolutions that each see all before them, then half the length and as many channels.

    Padding stays zero, so that a pair's score does not depend on the pairs next to it.
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        widths = [channels + GROWTH * layer for layer in range(LAYERS + 1)]
        self.layers = nn.ModuleList(nn.Conv2d(w, GROWTH, 3, padding=1) for w in widths[:-1])
        self.narrow = nn.Conv2d(widths[-1], channels, 1)

    def forward(self, cells: Any, mask: Any) -> tuple[Any, Any]:
        for layer in self.layers:
            cells = torch.cat([cells, layer(cells).relu() * mask], 1)
        narrow = self.narrow(cells).masked_fill(mask == 0, FAR)
        smaller = nn.functional.max_pool2d(mask, 2, ceil_mode=True)
        return nn.functional.max_pool2d(narrow, 2, ceil_mode=True) * smaller, smaller
