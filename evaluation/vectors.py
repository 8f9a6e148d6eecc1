"""Words of texts as fixed vectors: those that ship with Pawsmith, or those of a text file.

A word without a vector gets a random one that depends on the word alone: it still equals itself.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from generation.nlp import vector_likeness
from generation.nlp.adapters.model_files import file_digest
from generation.nlp.words import tokens

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]

MOST_WORDS = 60


def words(text: str) -> list[str]:
    """Return the first 60 words of a text, casefolded; one empty word for an empty text."""
    return tokens(text.casefold())[:MOST_WORDS] or [""]


class Vectors:
    """Vectors of length sqrt(width), so that a component is about 1; `file` replaces our own.

    A line of the file is a word and its numbers, as GloVe and fastText write them; the first line
    may be a header. Words are casefolded, and the first vector of a word counts.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file

    @property
    def identity(self) -> str:
        return file_digest(self._file or vector_likeness.EMBEDDED_FOLDER / "vectors.npy")

    def table(self, types: Sequence[str]) -> Floats:
        """Return the vector of each word. Raises ValueError if the file has other lines."""
        rows = self._known_vectors(types)
        for place in np.flatnonzero(~rows.any(axis=1)).tolist():
            rows[place] = _draw_vector(types[place], rows.shape[1])
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows * np.sqrt(rows.shape[1]) / lengths, dtype=np.float32)

    def _known_vectors(self, types: Sequence[str]) -> Floats:
        if self._file is None:
            rows_of_types = [vector_likeness.load_embedded().mean([word]) for word in types]
        else:
            rows, vectors = self._rows_and_vectors
            blank = np.zeros_like(vectors[0])
            rows_of_types = [vectors[rows[word]] if word in rows else blank for word in types]
        return np.stack(rows_of_types)

    @cached_property
    def _rows_and_vectors(self) -> tuple[dict[str, int], list[Floats]]:
        return read_vectors(self._file) if self._file else ({}, [])


def read_vectors(file: Path) -> tuple[dict[str, int], list[Floats]]:
    """Read vectors: the place of each word, and the vectors. Raises ValueError."""
    places: dict[str, int] = {}
    vectors: list[Floats] = []
    try:
        with file.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                word, *numbers = line.rstrip().split(" ")
                if number == 1 and len(numbers) == 1:
                    continue  # the header of fastText: how many words, and how wide
                vectors.append(_vector(numbers, len(vectors[0]) if vectors else None))
                places.setdefault(word.casefold(), len(vectors) - 1)
    except UnicodeDecodeError:
        raise ValueError(f"{file} is not UTF-8 text.") from None
    except ValueError as wrong:
        raise ValueError(f"{file}, line {len(vectors) + 1} of the vectors: {wrong}") from None
    if not vectors:
        raise ValueError(f"{file} has no vectors: each line must be a word and its numbers.")
    return places, vectors


def _vector(numbers: Sequence[str], expected_width: int | None) -> Floats:
    """Parse a vector. Raises ValueError, which says what was expected."""
    try:
        vector = np.array(numbers, dtype=np.float32)
    except ValueError:
        raise ValueError("expected a word and numbers, separated by single spaces.") from None
    if len(vector) != (expected_width or len(vector)) or not len(vector):
        raise ValueError(f"expected {expected_width or 'some'} numbers, found {len(vector)}.")
    return vector


def number_words(texts: Iterable[str]) -> tuple[list[Ints], list[str]]:
    numbers: dict[str, int] = {}
    rows = [
        np.array([numbers.setdefault(word, len(numbers)) for word in words(text)], dtype=np.int64)
        for text in texts
    ]
    return rows, list(numbers)


def _draw_vector(word: str, width: int) -> Floats:
    seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(width, dtype=np.float32)
