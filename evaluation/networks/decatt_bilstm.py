"""PAWS 6.2, Table 8, DecAtt + BiLSTM: decomposable attention over words read in context."""

from typing import Any

from torch import nn

from evaluation.networks.layers import ALIGNED, Alignment, BiLstm, both


class Network(nn.Module):
    """Decomposable attention over the outputs of a BiLSTM, which need no projection."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.read = BiLstm(width, ALIGNED // 2)
        self.align = Alignment()

    def forward(self, one: Any, mask1: Any, other: Any, mask2: Any) -> Any:
        read1, read2 = both(self.read, one, mask1, other, mask2)
        return self.align(read1, mask1, read2, mask2)
