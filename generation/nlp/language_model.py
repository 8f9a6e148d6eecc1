"""The seam between search and language models (PAWS 3.1)."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class PhraseScorer(Protocol):
    """Scores sentences that are put together, left to right, from a fixed list of phrases.

    Hypotheses live in the scorer as rows of a beam. A step names, for each new row, the row that it
    extends and the phrase that it appends, so that an n-gram model can look up all rows at once and
    a neural one can reorder its cache.
    """

    def start(self) -> None:
        """Set the beam to one row: the beginning of a sentence."""
        ...

    def peek(self, phrases: NDArray[np.intp]) -> NDArray[np.float64]:
        """Natural-log probability of each phrase after each row: shape (rows, len(phrases))."""
        ...

    def advance(self, parents: NDArray[np.intp], phrases: NDArray[np.intp]) -> None:
        """Make new rows: row i is old row parents[i] followed by phrases[i]."""
        ...

    def finish(self) -> NDArray[np.float64]:
        """Natural-log probability that the sentence ends after each row: shape (rows,)."""
        ...


class LanguageModel(Protocol):
    """A left-to-right language model over words.

    Words come as they are written inside a sentence: the first is not capitalised unless it is a
    name. Punctuation marks are words of their own.
    """

    @property
    def identity(self) -> dict[str, str]:
        """Name and revision or SHA-256, stored with every run."""
        ...

    def scorer(self, phrases: Sequence[tuple[str, ...]]) -> PhraseScorer:
        """A scorer for the sentences that these phrases (tuples of one or more words) can form."""
        ...

    def score(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        """Natural-log probability of each sentence, its end included: shape (len(sentences),)."""
        ...
