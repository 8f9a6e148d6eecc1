"""PAWS 5, BiLSTM: the cosine of two encodings, above .5 for a paraphrase."""

from typing import Any

import torch
from torch import nn

from evaluation.networks.layers import BiLstm, both, greatest

HIDDEN = 100
# Of the weight of the cosine: a logit of at most 2.5 at first.
FIRST_WEIGHT = 5.0


class Network(nn.Module):
    """Max pooling over a BiLSTM; the paper does not say the loss: ours is of w(cos - .5), w > 0."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.read = BiLstm(width, HIDDEN)
        self.log_weight = nn.Parameter(torch.tensor(FIRST_WEIGHT).log())

    def forward(self, one: Any, mask1: Any, other: Any, mask2: Any) -> Any:
        read1, read2 = both(self.read, one, mask1, other, mask2)
        pooled = greatest(read1, mask1), greatest(read2, mask2)
        return self.log_weight.exp() * (torch.cosine_similarity(*pooled) - 0.5)
