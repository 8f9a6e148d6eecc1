"""Converts per-token name probabilities to spans with a type and a calibrated probability."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class NameSpans:
    """Spans over the concatenated tokens of a batch, each with type and raw probability."""

    starts: NDArray[np.intp]
    ends: NDArray[np.intp]
    types: NDArray[np.intp]
    raw: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Calibration:
    """Platt scaling of a span's raw probability: sigmoid(slope * logit(raw) + intercept)."""

    slope: float = 1.0
    intercept: float = 0.0

    def __call__(self, raw: Floats) -> Floats:
        exponents: Floats = np.exp(-(self.slope * logit(raw) + self.intercept))
        return 1 / (1 + exponents)


def select(names: NameSpans, kept: NDArray[np.bool_]) -> NameSpans:
    return NameSpans(names.starts[kept], names.ends[kept], names.types[kept], names.raw[kept])


def logit(probability: Floats) -> Floats:
    """Return log odds; probabilities are clipped so that 0 and 1 stay finite."""
    clipped: Floats = np.clip(probability, 1e-7, 1 - 1e-7)
    return np.log(clipped) - np.log1p(-clipped)


def decode(probabilities: Floats, is_first: NDArray[np.bool_]) -> NameSpans:
    """Find the names in the concatenated sentences of a batch.

    `probabilities` has shape (tokens, 1 + 2 * types), with columns outside, then begin and inside
    for each type; `is_first` marks the first token of each sentence. A token is part of a name if
    begin and inside together exceed outside; it continues the previous name if inside exceeds
    begin. The raw probability of a span is the product over its tokens of begin or inside, summed
    over types, and of the next token not being inside.
    """
    begin, inside = probabilities[:, 1::2].sum(axis=1), probabilities[:, 2::2].sum(axis=1)
    is_name = begin + inside > probabilities[:, 0]
    continues_name = is_name & (inside > begin) & ~is_first & np.r_[False, is_name[:-1]]
    starts = np.flatnonzero(is_name & ~continues_name)
    stops = np.append(np.flatnonzero(~continues_name), len(continues_name))
    ends = stops[np.searchsorted(stops, starts, side="right")]
    types = _types(probabilities, starts, ends)
    return NameSpans(starts, ends, types, _raw_probabilities(begin, inside, is_first, starts, ends))


def _types(
    probabilities: Floats, starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> NDArray[np.intp]:
    if not len(starts):
        return np.zeros(0, np.intp)
    by_type = probabilities[:, 1::2] + probabilities[:, 2::2]
    sums = np.vstack([np.zeros_like(by_type[:1]), np.cumsum(by_type, axis=0)])
    types: NDArray[np.intp] = (sums[ends] - sums[starts]).argmax(axis=1)
    return types


def _raw_probabilities(
    begin: Floats,
    inside: Floats,
    is_first: NDArray[np.bool_],
    starts: NDArray[np.intp],
    ends: NDArray[np.intp],
) -> NDArray[np.float64]:
    tiny = 1e-30
    logs = np.concatenate([[0.0], np.cumsum(np.log(inside.astype(np.float64) + tiny))])
    # An opening token with a high "inside" probability still begins a name.
    log_opening = np.log((begin + np.where(is_first, inside, 0))[starts].astype(np.float64) + tiny)
    probability_of_end = np.append(np.where(is_first, 1.0, 1.0 - inside), 1.0)
    probabilities: NDArray[np.float64] = np.exp(log_opening + logs[ends] - logs[starts + 1])
    probabilities *= probability_of_end[ends]
    return probabilities
