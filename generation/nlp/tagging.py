"""Tagged sentences: what a tagger must deliver for word swapping (PAWS 3.1, Figure 2a)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Token:
    """One word of a sentence.

    `tag` is the fine (Penn Treebank) tag, `pos` the universal one, `space` the white space that
    follows the word in the text, so that joining text and space gives the sentence back.
    """

    text: str
    tag: str
    pos: str
    space: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A named entity over tokens[start:end].

    `probability` is the recogniser's own, in [0, 1], or None where it gives none.
    """

    start: int
    end: int
    label: str
    probability: float | None


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """The tokens of one sentence and the entities found in it, in order and without overlap."""

    tokens: tuple[Token, ...]
    entities: tuple[Entity, ...]

    @property
    def text(self) -> str:
        """The sentence as it was written."""
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
