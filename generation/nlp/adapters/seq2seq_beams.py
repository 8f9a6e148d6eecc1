"""What `generate` of transformers is given to keep a batch fair, and to tell likelihoods.

Both classes are called at each step of a search, with the tokens of every beam so far and the
log-probabilities of the next one: those of a sentence's beams in a row, one sentence after another.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from torch import Tensor

Prefix: TypeAlias = tuple[int, ...]


class LengthLimits:
    """Ends each sentence of a batch at a limit of its own, as if it were translated alone."""

    def __init__(self, limits: Sequence[int], *, beams: int, end: int) -> None:
        """`limits` are the most new tokens of each sentence, the token `end` among them."""
        self._limits = limits
        self._beams = beams
        self._end = end
        self._step = 0

    def __call__(self, tokens: "Tensor", scores: "Tensor") -> "Tensor":
        """Leave the beams of sentences that have come to their limit nothing but the end."""
        self._step += 1
        for sentence, limit in enumerate(self._limits):
            if self._step >= limit:
                rows = scores[sentence * self._beams : (sentence + 1) * self._beams]
                rows[:] = float("-inf")
                rows[:, self._end] = 0.0
        return scores


class ScoreKeeper:
    """Adds up the log-likelihoods of all beams.

    `generate` itself tells them only if it may keep the log-probabilities of all tokens at all
    steps, a gigabyte for a few dozen sentences; here it is those of one step.
    """

    def __init__(self, *, beams: int, end: int) -> None:
        self._beams = beams
        self._end = end
        self._ended: dict[Prefix, float] = {}
        self._running: dict[Prefix, tuple[int, float]] = {}
        self._scores: Tensor | None = None

    def __call__(self, tokens: "Tensor", scores: "Tensor") -> "Tensor":
        """Take note of a step, and change nothing."""
        prefixes = [(row // self._beams, *beam) for row, beam in enumerate(tokens.tolist())]
        totals = self._totals(prefixes)
        ends = scores[:, self._end].tolist()
        self._running = {}
        for row, (prefix, total) in enumerate(zip(prefixes, totals, strict=True)):
            self._running[prefix] = row, total
            self._ended[*prefix, self._end] = total + ends[row]
        self._scores = scores
        return scores

    def total(self, sentence: int, beam: Sequence[int]) -> float:
        """Natural log of the likelihood of what a sentence's beam holds up to its end."""
        stop = beam.index(self._end, 1) + 1  # some models begin with the token of the end
        return self._ended[sentence, *beam[:stop]]

    def _totals(self, prefixes: Sequence[Prefix]) -> list[float]:
        if self._scores is None:
            return [0.0] * len(prefixes)
        parents = [self._running[prefix[:-1]] for prefix in prefixes]
        rows, chosen = [row for row, _ in parents], [prefix[-1] for prefix in prefixes]
        gained = self._scores[rows, chosen].tolist()
        return [total + gain for (_, total), gain in zip(parents, gained, strict=True)]
