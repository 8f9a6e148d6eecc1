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

from generation.nlp import measures, vector_likeness
from generation.nlp.adapters.model_files import file_digest

Floats: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int64]

MOST_WORDS = 60


def words(text: str) -> list[str]:
    """Return the first 60 words of a text, casefolded; one empty word for an empty text."""
    return measures.words(text.casefold())[:MOST_WORDS] or [""]


class Vectors:
    """Vectors of length sqrt(width), so that a component is about 1; `file` replaces our own.

    A line of the file is a word and its numbers, as GloVe and fastText write them; the first line
    may be a header. Words are casefolded, and the first vector of a word counts.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._file = file

    @property
    def identity(self) -> str:
        """The SHA-256 of the vectors."""
        return file_digest(self._file or vector_likeness.EMBEDDED_FOLDER / "vectors.npy")

    def table(self, types: Sequence[str]) -> Floats:
        """Return the vector of each word. Raises ValueError if the file is not readable."""
        known = self._known(types)
        drawn = np.stack([_drawn(word, known.shape[1]) for word in types])
        rows = np.where(known.any(axis=1, keepdims=True), known, drawn)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows * np.sqrt(rows.shape[1]) / lengths).astype(np.float32)

    def _known(self, types: Sequence[str]) -> Floats:
        if self._file is None:
            return np.stack([vector_likeness.embedded().mean([word]) for word in types])
        rows, vectors = self._read
        blank = np.zeros_like(vectors[0])
        return np.stack([vectors[rows[word]] if word in rows else blank for word in types])

    @cached_property
    def _read(self) -> tuple[dict[str, int], Floats]:
        assert self._file is not None
        rows: dict[str, int] = {}
        vectors: list[Floats] = []
        try:
            with self._file.open(encoding="utf-8") as lines:
                for number, line in enumerate(lines, start=1):
                    word, *numbers = line.rstrip().split(" ")
                    if number > 1 or len(numbers) > 1:
                        self._keep(word.casefold(), numbers, rows, vectors, number)
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"The vectors {self._file} cannot be read: {error}.") from error
        if not vectors:
            raise ValueError(f"{self._file} has no vectors: each line is a word and its numbers.")
        return rows, np.stack(vectors)

    def _keep(
        self,
        word: str,
        numbers: Sequence[str],
        rows: dict[str, int],
        vectors: list[Floats],
        line: int,
    ) -> None:
        try:
            vector = np.array(numbers, dtype=np.float32)
        except ValueError:
            vector = np.empty(0, dtype=np.float32)
        if not len(vector) or (vectors and len(vector) != len(vectors[0])):
            raise ValueError(
                f"{self._file}, line {line}: expected a word and "
                f"{len(vectors[0]) if vectors else 'its'} numbers, separated by single spaces."
            )
        if word not in rows:
            rows[word] = len(vectors)
            vectors.append(vector)


def numbered(texts: Iterable[str]) -> tuple[list[Ints], list[str]]:
    """Return the words of each text as numbers, and the words that they stand for."""
    numbers: dict[str, int] = {}
    rows = [
        np.array([numbers.setdefault(word, len(numbers)) for word in words(text)], dtype=np.int64)
        for text in texts
    ]
    return rows, list(numbers)


def _drawn(word: str, width: int) -> Floats:
    seed = int.from_bytes(blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(width, dtype=np.float32)
