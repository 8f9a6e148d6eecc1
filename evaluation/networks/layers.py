"""Layers that several networks share.

`vectors` have shape (sentences, words, width); `mask` (sentences, words) is True at words.
"""

from itertools import pairwise
from typing import Any

import torch
from torch import nn

FAR = -1e4
ALIGNED = 200  # components of a word that is aligned


class BiLstm(nn.Module):
    """Reads sentences forwards and backwards; padding has no effect on words, and gives zeros."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.forwards = nn.LSTM(width, hidden, batch_first=True)
        self.backwards = nn.LSTM(width, hidden, batch_first=True)

    def forward(self, vectors: Any, mask: Any) -> Any:
        # Padding is at the end of both: quicker on a processor than packed sequences.
        rows, mirrored_columns = (
            torch.arange(len(mask), device=mask.device)[:, None],
            mirrored(mask),
        )
        forward_states, _ = self.forwards(vectors)
        backward_states, _ = self.backwards(vectors[rows, mirrored_columns])
        return (
            torch.cat([forward_states, backward_states[rows, mirrored_columns]], 2)
            * mask[:, :, None]
        )


def mirrored(mask: Any) -> Any:
    """Return the places of words in reverse order; padding keeps its places."""
    places = torch.arange(mask.shape[1], device=mask.device)
    return torch.where(mask, mask.sum(1, keepdim=True) - 1 - places, places)


def greatest(vectors: Any, mask: Any) -> Any:
    return vectors.masked_fill(~mask[:, :, None], FAR).amax(1)


def mean(vectors: Any, mask: Any) -> Any:
    """Return the mean of each component over the words; padding must be zero."""
    return vectors.sum(1) / mask.sum(1, keepdim=True)


def attended(scores: Any, vectors: Any, mask: Any) -> Any:
    """Return the mean of `vectors` for each row of `scores`, weighted by their softmax."""
    return scores.masked_fill(~mask[:, None, :], FAR).softmax(2) @ vectors


def both(layer: Any, one: Any, mask1: Any, other: Any, mask2: Any) -> tuple[Any, Any]:
    """Apply a layer to first and second sentences together, which takes half as many steps."""
    together = layer(torch.cat([one, other]), torch.cat([mask1, mask2]))
    first, second = together.chunk(2)
    return first, second


def perceptron(*widths: int) -> Any:
    layers: list[Any] = []
    for before, after in pairwise(widths):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers)


class Alignment(nn.Module):
    """Compares each word with what it is aligned to in the other sentence, and sums up.

    Parikh et al. 2016, section 3.
    """

    def __init__(self) -> None:
        super().__init__()
        self.attend = perceptron(ALIGNED, ALIGNED, ALIGNED)
        self.compare = perceptron(2 * ALIGNED, ALIGNED, ALIGNED)
        self.judge = nn.Sequential(perceptron(2 * ALIGNED, ALIGNED, ALIGNED), nn.Linear(ALIGNED, 1))

    def forward(self, vectors1: Any, mask1: Any, vectors2: Any, mask2: Any) -> Any:
        scores = self.attend(vectors1) @ self.attend(vectors2).transpose(1, 2)
        aligned1 = attended(scores, vectors2, mask2)
        aligned2 = attended(scores.transpose(1, 2), vectors1, mask1)
        sums = [self._sum(vectors1, aligned1, mask1), self._sum(vectors2, aligned2, mask2)]
        return self.judge(torch.cat(sums, 1))[:, 0]

    def _sum(self, words: Any, aligned: Any, mask: Any) -> Any:
        compared = self.compare(torch.cat([words, aligned], 2))
        return (compared * mask[:, :, None]).sum(1)
