"""The vocabulary of the n-gram model, with classes for numbers and unknown words."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

BOS = "<s>"
EOS = "</s>"
UNKNOWN = "<unk>"
SPECIAL = (BOS, EOS, UNKNOWN)
ENDING_SIZES = (3, 2, 1)

_CURLED = "\N{LEFT SINGLE QUOTATION MARK}\N{RIGHT SINGLE QUOTATION MARK}" + (
    "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
)
_FOLDED = str.maketrans("123456789" + _CURLED, "0" * 9 + "''\"\"")


def normal_form(word: str) -> str:
    """Normalise a word: lower case, every digit 0, straight quotation marks.

    >>> normal_form("1947"), normal_form("Born")
    ('0000', 'born')
    """
    return word.lower().translate(_FOLDED)


def ending_class(ending: str) -> str:
    """Return the vocabulary entry for unknown words with this ending.

    >>> ending_class("ing")
    '<-ing>'
    """
    return f"<-{ending}>"


class Vocabulary:
    """Words and word classes, numbered by their index in `words`.

    `words` begins with SPECIAL. An unknown word belongs to the class of its longest known ending
    (`<-ing>`, `<-ed>`, ...), or else to `<unk>`.
    """

    def __init__(self, words: Sequence[str]) -> None:
        if tuple(words[: len(SPECIAL)]) != SPECIAL:
            raise ValueError(f"a vocabulary begins with {', '.join(SPECIAL)}")
        self.words = tuple(words)
        self.bos, self.eos, self.unk = range(len(SPECIAL))
        self._ids = {word: number for number, word in enumerate(words) if number > self.unk}

    def __len__(self) -> int:
        return len(self.words)

    def ids(self, words: Sequence[str]) -> NDArray[np.int32]:
        """Return the number of each word, or of its class: shape (len(words),)."""
        return np.fromiter((self.id(word) for word in words), np.int32, len(words))

    def id(self, word: str) -> int:
        """Return the number of a word, or of its class."""
        form = normal_form(word)
        known = self._ids.get(form)
        return self._unknown(form) if known is None else known

    def _unknown(self, form: str) -> int:
        classes = (self._ids.get(ending_class(form[-size:])) for size in ENDING_SIZES)
        return next((number for number in classes if number is not None), self.unk)
