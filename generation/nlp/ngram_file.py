"""File format of the n-gram model: rounded, difference-coded, deflated arrays in an .npz file."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMAT = "pawsmith-trigram-1"
GAIN_STEP = 1 / 8
BACKOFF_STEP = 1 / 32
_LEVELS = 256
_STEPS = {"bigram_gain": GAIN_STEP, "pair_backoff": -BACKOFF_STEP, "trigram_gain": GAIN_STEP}
_COUNTS = {"bigram_counts", "trigram_counts"}
_SORTED = {"bigram_second", "trigram_rank"}


@dataclass(frozen=True, slots=True)
class NgramArrays:
    """A model of `n` words, `b` bigrams and `t` trigrams; logarithms are natural.

    Bigrams are sorted by (first, second). Trigrams are sorted by (prefix, rank): prefix is the
    index of (u, v) among the bigrams, rank the index of (v, w) among the bigrams that begin with v,
    so that the stored numbers are small (Pibiri and Venturini 2017, "Efficient data structures for
    massive n-gram datasets").
    """

    unigram: NDArray[np.floating[Any]]  # (n,) log p(w)
    word_backoff: NDArray[np.floating[Any]]  # (n,)
    bigram_counts: NDArray[np.integer[Any]]  # (n,) number of bigrams that begin with the word
    bigram_second: NDArray[np.uint16]  # (b,)
    bigram_gain: NDArray[np.floating[Any]]  # (b,)
    pair_backoff: NDArray[np.floating[Any]]  # (b,)
    trigram_counts: NDArray[np.integer[Any]]  # (b,) number of trigrams that begin with the bigram
    trigram_rank: NDArray[np.uint16]  # (t,)
    trigram_gain: NDArray[np.floating[Any]]  # (t,)


def rounded(name: str, values: NDArray[Any]) -> NDArray[np.float16]:
    """Return the values as read back from a file: gains and pair back-offs in 256 steps."""
    if name in _STEPS:
        return _from_codes(name, _codes(name, values))
    return values.astype(np.float16)


def save(path: Path, words: tuple[str, ...], arrays: NgramArrays) -> None:
    """Write a model; its logarithms are rounded."""
    stored: dict[str, Any] = {"format": np.array(FORMAT)}
    stored["words"] = np.frombuffer("\n".join(words).encode(), dtype=np.uint8)
    for field in fields(arrays):
        stored |= _encode(field.name, getattr(arrays, field.name))
    np.savez_compressed(path, **stored)


def load(path: Path) -> tuple[list[str], NgramArrays]:
    """Read the words and arrays of a model.

    Raises ValueError if the file has another format.
    """
    with np.load(path) as stored:
        if str(stored.get("format")) != FORMAT:
            raise ValueError(f"{path} is not a model in the format {FORMAT}")
        words = stored["words"].tobytes().decode().split("\n")
        names = [field.name for field in fields(NgramArrays)]
        return words, NgramArrays(**{name: _decode(name, stored) for name in names})


def _encode(name: str, values: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Encode one array; 16-bit numbers are split into two byte arrays that compress better."""
    if name in _STEPS:
        return {name: _codes(name, values)}
    if name not in _COUNTS | _SORTED:
        return {name: values.astype(np.float16)}
    numbers = values.astype(np.uint16)
    if name in _SORTED:  # differences wrap around, as does their sum when read
        numbers = np.diff(numbers, prepend=np.uint16(0))
    return {f"{name}.high": (numbers >> 8).astype(np.uint8), name: numbers.astype(np.uint8)}


def _decode(name: str, stored: Any) -> NDArray[Any]:
    if name in _STEPS:
        return _from_codes(name, stored[name])
    if name not in _COUNTS | _SORTED:
        return np.asarray(stored[name].astype(np.float16))
    numbers = stored[f"{name}.high"].astype(np.uint16) << 8 | stored[name]
    return np.cumsum(numbers, dtype=np.uint16) if name in _SORTED else np.asarray(numbers)


def _codes(name: str, values: NDArray[Any]) -> NDArray[np.uint8]:
    return np.clip(np.rint(values / _STEPS[name]), 0, _LEVELS - 1).astype(np.uint8)


def _from_codes(name: str, codes: NDArray[np.uint8]) -> NDArray[np.float16]:
    return (np.arange(_LEVELS) * _STEPS[name]).astype(np.float16)[codes]
