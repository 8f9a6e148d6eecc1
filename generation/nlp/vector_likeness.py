"""Similarity in use of words, from vectors: interchangeable words have similar vectors."""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

# The vectors of the embedded tagger, trained by tools.training.word_vectors.
EMBEDDED_FOLDER = Path(__file__).parent / "embedded" / "en_tagger" / "pawsmith_tags_and_names"

UNKNOWN = 0.5  # assumed of phrases of which one is not known
CACHED = 1_000  # directions of words and phrases
# A word's frequency is about inverse to its rank.
MOSTLY = 4


class Likeness(Protocol):
    """Measures how similarly two words or phrases are used."""

    def between(self, one: Sequence[str], other: Sequence[str]) -> float | None:
        """Return a number up to 1, for equal use, or None if nothing is known about one of them."""
        ...


class VectorLikeness:
    """Cosine of word vectors; a phrase has the direction of the sum of its known words."""

    def __init__(self, words: Sequence[str], vectors: NDArray[np.integer[Any]]) -> None:
        self._rows = {word: row for row, word in enumerate(words)}
        self._vectors = vectors
        self._direction = lru_cache(CACHED)(self._sum_of_units)

    @classmethod
    def load(cls, folder: Path) -> "VectorLikeness":
        """Load words.txt and vectors.npy, one row per word. Raises OSError or ValueError."""
        words = folder.joinpath("words.txt").read_text(encoding="utf-8").split("\n")
        return cls(words, np.load(folder / "vectors.npy"))

    def between(self, one: Sequence[str], other: Sequence[str]) -> float | None:
        a, b = self._direction(tuple(one)), self._direction(tuple(other))
        return None if a is None or b is None else float(a @ b)

    def mean(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Return the mean of the vectors, of length one, of the known words; zero if none is."""
        units = self._units(words)
        total: NDArray[np.float32] = units.sum(axis=0) / max(1, len(units))
        return total

    def rank(self, word: str) -> int:
        """Return how many words are more frequent; unknown words come after all others."""
        row = self._row(word)
        return len(self._rows) if row is None else row

    def spelling(self, word: str) -> str:
        """Return the most frequent form of a word, which comes first; unknown words as they are."""
        forms = (word, word.capitalize(), word.upper())
        return min(forms, key=lambda form: self._rows.get(form, len(self._rows)))

    def knows(self, word: str) -> bool:
        """Whether a word is among the frequent ones in this case."""
        return word in self._rows

    def is_proper(self, word: str) -> bool:
        """Whether a word is mostly written with a capital, as "French" is."""
        lower, capital = (
            self._rows.get(form, len(self._rows)) for form in (word.lower(), word.capitalize())
        )
        return capital * MOSTLY < lower

    def _sum_of_units(self, words: tuple[str, ...]) -> NDArray[np.float32] | None:
        total = self._units(words).sum(axis=0)
        length = np.linalg.norm(total)
        return total / length if length else None

    def _units(self, words: Sequence[str]) -> NDArray[np.float32]:
        rows = [row for row in map(self._row, words) if row is not None]
        vectors = self._vectors[rows].astype(np.float32)
        units: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return units

    def _row(self, word: str) -> int | None:
        forms = (word, word.lower(), word.capitalize())
        return next((self._rows[form] for form in forms if form in self._rows), None)


@cache
def load_embedded() -> VectorLikeness:
    """Return the vectors that ship with Pawsmith: 50,000 words, 64 columns. Raises OSError."""
    return VectorLikeness.load(EMBEDDED_FOLDER)
