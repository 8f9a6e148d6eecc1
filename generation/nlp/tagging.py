"""Tagged sentences: the interface of taggers for word swapping (PAWS 3.1, Figure 2a)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a sentence.

    `tag` is the fine (Penn Treebank) tag, `pos` the universal one, `space` the white space after
    the word, so that concatenating text and space restores the sentence.
    """

    text: str
    tag: str
    pos: str
    space: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity over tokens[start:end].

    `probability` is from the recogniser, in [0, 1], or None if it reports none.
    """

    start: int
    end: int
    label: str
    probability: float | None


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """The tokens of one sentence and its entities, in order and without overlap."""

    tokens: tuple[Token, ...]
    entities: tuple[Entity, ...]

    @property
    def text(self) -> str:
        return "".join(token.text + token.space for token in self.tokens)


class Tagger(Protocol):
    """A part-of-speech tagger with an entity recogniser."""

    @property
    def identity(self) -> dict[str, str]:
        """Name and revision or SHA-256, stored with every run."""
        ...

    def tag(self, texts: Iterable[str]) -> Iterator[TaggedSentence]:
        """Tag texts, one sentence each, in order."""
        ...
