"""PAWS 6.2, Table 8, DecAtt + BiLSTM: decomposable attention over words read in context."""

from typing import Any

from torch import nn

from evaluation.networks import decatt
from evaluation.networks.layers import BiLstm, both

HIDDEN = 100


class Network(nn.Module):
    """Decomposable attention over the outputs of a BiLSTM."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.read = BiLstm(width, HIDDEN)
        self.decatt = decatt.Network(2 * HIDDEN)

    def forward(self, one: Any, mask1: Any, other: Any, mask2: Any) -> Any:
        read1, read2 = both(self.read, one, mask1, other, mask2)
        return self.decatt(read1, mask1, read2, mask2)
