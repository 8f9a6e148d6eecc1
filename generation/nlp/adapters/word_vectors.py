"""Word vectors stored as 8-bit integers, a quarter of the size of spaCy's own files."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from spacy.vectors import Vectors  # type: ignore[import-not-found]
from spacy.vocab import Vocab

STEP = 32.0  # a stored 32 is 1.0 for the network


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Words and their vectors, one row per word."""

    words: tuple[str, ...]
    rows: NDArray[np.int8]

    @classmethod
    def quantise(cls, words: Sequence[str], vectors: NDArray[np.float32]) -> "WordVectors":
        """Quantise vectors of length one; values beyond eight bits are clipped."""
        scale = STEP * np.sqrt(vectors.shape[1])
        return cls(tuple(words), np.clip(np.rint(vectors * scale), -127, 127).astype(np.int8))

    def install(self, vocab: Vocab) -> None:
        """Set them as the vectors of a vocabulary.

        A capitalised form without a vector gets that of the lower-case word, for the beginning of a
        sentence.
        """
        data = self.rows.astype(np.float32) / STEP
        vectors = Vectors(strings=vocab.strings, data=data, keys=self.words)
        known = set(self.words)
        for row, word in enumerate(self.words):
            capitalised = word[:1].upper() + word[1:]
            if capitalised not in known:
                vectors.add(capitalised, row=row)
        vocab.vectors = vectors

    def to_disk(self, folder: Path) -> None:
        """Write words.txt and vectors.npy."""
        folder.joinpath("words.txt").write_text("\n".join(self.words), encoding="utf-8")
        np.save(folder / "vectors.npy", self.rows)

    @classmethod
    def from_disk(cls, folder: Path) -> "WordVectors":
        """Load what `to_disk` wrote."""
        words = folder.joinpath("words.txt").read_text(encoding="utf-8").split("\n")
        return cls(tuple(words), np.load(folder / "vectors.npy"))
