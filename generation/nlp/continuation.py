"""Continues a text by words that a language model draws (partial paraphrases 3.3)."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from hashlib import blake2b
from random import Random
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from generation.nlp import vector_likeness
from generation.nlp.ngram import NgramModel

# Returns a random number from 0 to 1 at each call.
Draw: TypeAlias = Callable[[], float]

# How many of the likeliest words, or tokens, are drawn from; at temperature 1.
TOP = 40
# What may be drawn: letters, joined by hyphens. So no mark ends the sentence.
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_PART = re.compile(r"\w+(?:-\w+)*|[^\w\s]")
CACHED = 2**12


class Writer(Protocol):
    """A language model that continues texts."""

    @property
    def identity(self) -> dict[str, str]: ...

    def continue_(self, text: str, words: int, draw: Draw) -> tuple[str, ...]:
        """Return `words` words that follow the text; none ends a sentence. Raises ValueError."""
        ...


def seeded_draw(seed: int, name: str) -> Draw:
    digest = blake2b(f"{seed}\n{name}".encode(), digest_size=8).digest()
    return Random(int.from_bytes(digest)).random


def draw_index(log_weights: NDArray[np.float64], number: float) -> int:
    """Return the place that a random number from 0 to 1 draws, by weights in natural logarithms."""
    totals = np.cumsum(np.exp(log_weights - log_weights.max()))
    return int(np.searchsorted(totals, number * totals[-1], side="right").clip(max=len(totals) - 1))


class NgramWriter:
    """Continues texts by a trigram model, which sees the last two words only.

    The model knows words in lower case. Each is spelt as the embedded vectors have it most often.
    """

    def __init__(self, model: NgramModel) -> None:
        self._model = model
        self._is_word = np.array([bool(WORD.fullmatch(word)) for word in model.vocabulary.words])
        self._words_by_frequency = model.by_frequency(self._is_word)
        self._common = lru_cache(CACHED)(self._common_after)
        self._next = lru_cache(CACHED)(self._likeliest)

    @property
    def identity(self) -> dict[str, str]:
        return self._model.identity

    def continue_(self, text: str, words: int, draw: Draw) -> tuple[str, ...]:
        vocabulary = self._model.vocabulary
        ids = [vocabulary.bos, vocabulary.bos, *map(vocabulary.id, _PART.findall(text))]
        context, new_words = (ids[-2], ids[-1]), []
        for _ in range(words):
            numbers, log_probs = self._next(*context)
            number = int(numbers[draw_index(log_probs, draw())])
            new_words.append(usual_spelling(vocabulary.words[number]))
            context = context[1], number
        return tuple(new_words)

    def _common_after(self, word: int) -> NDArray[np.intp]:
        return self._model.likeliest_after(word, self._words_by_frequency, TOP)

    def _likeliest(self, first: int, second: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """Return the likeliest words after two words, and their log-probabilities.

        A stored trigram only raises a probability: all others are among the likeliest after the
        second word alone.
        """
        stored = self._model.stored_after(first, second)
        followers = np.union1d(self._common(second), stored[self._is_word[stored]])
        contexts = np.broadcast_to([first, second], (len(followers), 2))
        log_probs = self._model.log_probs(np.column_stack([contexts, followers]))
        best = np.argsort(-log_probs, kind="stable")[:TOP]
        return followers[best], log_probs[best]


@cache
def usual_spelling(word: str) -> str:
    """Return a word of lower case as it is most often spelt: "Maryland", "NASA".

    >>> usual_spelling("maryland"), usual_spelling("water")
    ('Maryland', 'water')
    """
    return vector_likeness.load_embedded().spelling(word)
