"""Logits processors for `generate` of transformers: per-sentence limits and likelihoods.

Both classes are called at each search step with the tokens of every beam so far and the next
log-probabilities; the beams of a sentence are consecutive rows.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from torch import Tensor

Prefix: TypeAlias = tuple[int, ...]


class LengthLimits:
    """Ends each sentence of a batch at its individual limit, as if it were translated alone."""

    def __init__(self, limits: Sequence[int], *, beams: int, end: int) -> None:
        """Set the maximum number of new tokens of each sentence, including the `end` token."""
        self._limits = limits
        self._beams = beams
        self._end = end
        self._step = 0

    def __call__(self, tokens: "Tensor", scores: "Tensor") -> "Tensor":
        """Force the end token for beams of sentences that have reached their limit."""
        self._step += 1
        for sentence, limit in enumerate(self._limits):
            if self._step >= limit:
                rows = scores[sentence * self._beams : (sentence + 1) * self._beams]
                rows[:] = float("-inf")
                rows[:, self._end] = 0.0
        return scores


class ScoreKeeper:
    """Adds up the log-likelihoods of all beams.

    `generate` returns them only if it keeps the log-probabilities of all tokens at all steps, a
    gigabyte for a few dozen sentences; this class keeps those of one step.
    """

    def __init__(self, *, beams: int, end: int) -> None:
        self._beams = beams
        self._end = end
        self._ended: dict[Prefix, float] = {}
        self._running: dict[Prefix, tuple[int, float]] = {}
        self._scores: Tensor | None = None

    def __call__(self, tokens: "Tensor", scores: "Tensor") -> "Tensor":
        """Record a step; returns the scores unchanged."""
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
        """Return the natural-log likelihood of a sentence's beam up to its end token."""
        stop = beam.index(self._end, 1) + 1  # some models start with the end token
        return self._ended[sentence, *beam[:stop]]

    def _totals(self, prefixes: Sequence[Prefix]) -> list[float]:
        if self._scores is None:
            return [0.0] * len(prefixes)
        parents = [self._running[prefix[:-1]] for prefix in prefixes]
        rows, chosen = [row for row, _ in parents], [prefix[-1] for prefix in prefixes]
        gained = self._scores[rows, chosen].tolist()
        return [total + gain for (_, total), gain in zip(parents, gained, strict=True)]
