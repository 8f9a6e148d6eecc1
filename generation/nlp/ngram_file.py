"""The n-gram model on disk: quantised, sorted, difference-coded and deflated in one .npz file."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMAT = "pawsmith-trigram-1"
_LEVELS = 256
_COUNTS = ("bigram_counts", "trigram_counts")
_WORDS = ("bigram_second", "trigram_rank")


@dataclass(frozen=True, slots=True)
class NgramArrays:
    """The numbers of a model of `n` words, `b` bigrams and `t` trigrams; logarithms are natural.

    Bigrams are sorted by (first, second). Trigrams are sorted by (prefix, rank): prefix is the place
    of (u, v) among the bigrams, rank the place of (v, w) among the bigrams that begin with v, so that
    small numbers are stored (Pibiri and Venturini 2017, "Efficient data structures for massive N-gram
    datasets", section 3.2).
    """

    unigram: NDArray[np.floating[Any]]  # (n,) log p(w)
    word_backoff: NDArray[np.floating[Any]]  # (n,)
    bigram_counts: NDArray[np.integer[Any]]  # (n,) how many bigrams begin with the word
    bigram_second: NDArray[np.uint16]  # (b,)
    bigram_gain: NDArray[np.floating[Any]]  # (b,)
    pair_backoff: NDArray[np.floating[Any]]  # (b,)
    trigram_counts: NDArray[np.integer[Any]]  # (b,) how many trigrams begin with the bigram
    trigram_rank: NDArray[np.uint16]  # (t,)
    trigram_gain: NDArray[np.floating[Any]]  # (t,)


def save(path: Path, words: tuple[str, ...], arrays: NgramArrays, *, step: float) -> None:
    """Write a model; its logarithms are rounded to multiples of `step` (nats), which must be 2^-k."""
    stored: dict[str, NDArray[Any]] = {}
    for field in fields(arrays):
        values = getattr(arrays, field.name)
        stored |= dict(_planes(field.name, _encode(field.name, values, step)))
    text = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    np.savez_compressed(path, format=FORMAT, step=step, words=text, **stored)


def load(path: Path) -> tuple[list[str], NgramArrays]:
    """Read a model: its words and its numbers, logarithms as half-precision floats.

    Raises ValueError when the file is not of this format.
    """
    with np.load(path) as stored:
        if str(stored.get("format")) != FORMAT:
            raise ValueError(f"{path} is not a model in the format {FORMAT}")
        step = float(stored["step"])
        words = stored["words"].tobytes().decode().split("\n")
        names = [field.name for field in fields(NgramArrays)]
        return words, NgramArrays(**{name: _decode(name, stored, step) for name in names})


def _encode(name: str, values: NDArray[Any], step: float) -> NDArray[Any]:
    if name in _COUNTS:
        return values.astype(np.uint16)
    if name in _WORDS:
        return np.diff(
            values, prepend=values.dtype.type(0)
        )  # wraps around, as does the sum in _decode
    return np.clip(np.rint(np.abs(values) / step), 0, _LEVELS - 1).astype(np.uint8)


def _planes(name: str, values: NDArray[Any]) -> list[tuple[str, NDArray[np.uint8]]]:
    """High and low bytes apart: each deflates better alone."""
    if values.dtype == np.uint8:
        return [(name, values)]
    return [(f"{name}.high", (values >> 8).astype(np.uint8)), (name, values.astype(np.uint8))]


def _decode(name: str, stored: Any, step: float) -> NDArray[Any]:
    codes = stored[name]
    if name in _COUNTS or name in _WORDS:
        codes = (stored[f"{name}.high"].astype(np.uint16) << 8) | codes
        return np.cumsum(codes, dtype=np.uint16) if name in _WORDS else codes
    sign = 1 if name.endswith("_gain") else -1
    return (np.arange(_LEVELS) * sign * step).astype(np.float16)[codes]
