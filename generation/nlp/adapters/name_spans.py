"""From per-token name probabilities to spans, each with a type and a calibrated probability."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True, slots=True)
class NameSpans:
    """Spans over the tokens of a batch laid end to end, each with type and raw probability."""

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
        """Probabilities that spans with these raw probabilities are names, boundaries included."""
        exponents: Floats = np.exp(-(self.slope * logit(raw) + self.intercept))
        return 1 / (1 + exponents)


def select(names: NameSpans, kept: NDArray[np.bool_]) -> NameSpans:
    """The spans that are marked."""
    return NameSpans(names.starts[kept], names.ends[kept], names.types[kept], names.raw[kept])


def logit(probability: Floats) -> Floats:
    """Log odds, finite at 0 and 1 as well."""
    clipped: Floats = np.clip(probability, 1e-7, 1 - 1e-7)
    return np.log(clipped) - np.log1p(-clipped)


def decode(probabilities: Floats, first: NDArray[np.bool_]) -> NameSpans:
    """Find the names of a batch of sentences laid end to end.

    `probabilities` has a row per token: outside, then begin and inside of each type by turns, so
    its shape is (tokens, 1 + 2 * types); `first` marks the tokens that begin a sentence. A token is
    part of a name if begin and inside together outweigh outside; it goes on with the name before it
    if inside outweighs begin. The raw probability of a span is the product over its tokens of begin
    or inside, whatever the type, and of the next token's not being inside.
    """
    begin, inside = probabilities[:, 1::2].sum(axis=1), probabilities[:, 2::2].sum(axis=1)
    named = begin + inside > probabilities[:, 0]
    goes_on = named & (inside > begin) & ~first & np.r_[False, named[:-1]]
    starts = np.flatnonzero(named & ~goes_on)
    ends = _ends(starts, goes_on)
    types = _types(probabilities, starts, ends)
    return NameSpans(starts, ends, types, _raw(begin, inside, first, starts, ends))


def _ends(starts: NDArray[np.intp], goes_on: NDArray[np.bool_]) -> NDArray[np.intp]:
    stops = np.append(np.flatnonzero(~goes_on), len(goes_on))
    return stops[np.searchsorted(stops, starts, side="right")]


def _types(
    probabilities: Floats, starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> NDArray[np.intp]:
    if not len(starts):
        return np.zeros(0, np.intp)
    by_type = probabilities[:, 1::2] + probabilities[:, 2::2]
    sums = np.vstack([np.zeros_like(by_type[:1]), np.cumsum(by_type, axis=0)])
    best: NDArray[np.intp] = (sums[ends] - sums[starts]).argmax(axis=1)
    return best


def _raw(
    begin: Floats,
    inside: Floats,
    first: NDArray[np.bool_],
    starts: NDArray[np.intp],
    ends: NDArray[np.intp],
) -> NDArray[np.float64]:
    tiny = 1e-30
    logs = np.concatenate([[0.0], np.cumsum(np.log(inside.astype(np.float64) + tiny))])
    # An opening token that leans to "inside" is a beginning all the same.
    opening = np.log((begin + np.where(first, inside, 0))[starts].astype(np.float64) + tiny)
    stopping = np.append(np.where(first, 1.0, 1.0 - inside), 1.0)
    whole: NDArray[np.float64] = np.exp(opening + logs[ends] - logs[starts + 1])
    whole *= stopping[ends]
    return whole
