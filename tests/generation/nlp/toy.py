"""Tagged sentences written by hand, and a bigram model small enough to check by hand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from generation.nlp.kinds import Kind
from generation.nlp.language_model import Beam, Puzzle
from generation.nlp.search import search
from generation.nlp.tagging import Entity, TaggedSentence, Token
from generation.nlp.templates import Filler, Slot, Template

CLOSING = (".", ",", "?", ";", ")", "'s", "”")
OPENING = ("(", "“")
UNSEEN = -5.0


def tagged(text: str, *entities: tuple[int, int, str, float | None]) -> TaggedSentence:
    """A sentence from words with their tags, as "Tom/NNP sleeps/VBZ ./.", and its entities."""
    words = [word.rpartition("/") for word in text.split()]
    following = [word for word, _, _ in words[1:]] + ["."]
    tokens = (
        Token(word, tag, "", "" if after in CLOSING or word in OPENING else " ")
        for (word, _, tag), after in zip(words, following, strict=True)
    )
    return TaggedSentence(tuple(tokens), tuple(Entity(*entity) for entity in entities))


def puzzle(
    phrases: Sequence[str],
    choices: Sequence[Sequence[int]],
    source: Sequence[int],
    *,
    max_changes: int = 1000,
    capital: bool = False,
) -> Puzzle:
    """A puzzle of phrases, which a space follows wherever they stand but at the end."""
    words = [tuple(phrase.split()) for phrase in phrases]
    fillers = tuple(Filler(text, (" ",) * (len(text) - 1)) for text in words)
    spaces = [" "] * (len(source) - 1) + [""]
    slots = tuple(
        Slot(Kind.OTHER, number, tuple(numbers), space)
        for number, numbers, space in zip(source, choices, spaces, strict=True)
    )
    return Puzzle(Template(fillers, slots, capital), max_changes)


class Bigrams:
    """A language model of a few bigrams with their log probabilities; all others are UNSEEN."""

    identity: Mapping[str, str] = {"name": "toy bigrams"}

    def __init__(self, known: Mapping[str, float] | None = None) -> None:
        self._known = {tuple(pair.split()): value for pair, value in (known or {}).items()}

    def log_prob(self, *words: str) -> float:
        pairs = pairwise(word.lower() for word in words)
        return sum(self._known.get(pair, UNSEEN) for pair in pairs)

    def score(self, sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        return np.array([self.log_prob("<s>", *words, "</s>") for words in sentences])

    def search(self, puzzles: Iterable[Puzzle], *, width: int) -> Iterator[Beam]:
        return (search(puzzle, BigramScorer(self, puzzle.words), width=width) for puzzle in puzzles)


class BigramScorer:
    """The last word of each hypothesis is all that a bigram model needs."""

    def __init__(self, model: Bigrams, phrases: Sequence[tuple[str, ...]]) -> None:
        self._model, self._phrases = model, phrases
        self._last = ["<s>"]

    def peek(self, phrases: NDArray[np.intp]) -> NDArray[np.float64]:
        texts = [self._phrases[phrase] for phrase in phrases]
        rows = [[self._model.log_prob(last, *words) for words in texts] for last in self._last]
        return np.array(rows)

    def advance(self, parents: NDArray[np.intp], phrases: NDArray[np.intp]) -> None:
        assert (parents < len(self._last)).all()
        self._last = [self._phrases[phrase][-1] for phrase in phrases]

    def finish(self) -> NDArray[np.float64]:
        return np.array([self._model.log_prob(last, "</s>") for last in self._last])
