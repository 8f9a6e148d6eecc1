"""Decomposable attention (Parikh et al. 2016, 3): attend, compare, aggregate; no word order."""

from typing import Any

from torch import nn

from evaluation.networks.layers import ALIGNED, Alignment


class Network(nn.Module):
    """Decomposable attention over projected word vectors."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.project = nn.Linear(width, ALIGNED)
        self.align = Alignment()

    def forward(self, one: Any, mask1: Any, other: Any, mask2: Any) -> Any:
        return self.align(self.project(one), mask1, self.project(other), mask2)
