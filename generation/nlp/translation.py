"""The interface between back translation and translators (PAWS 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated text and its natural-log likelihood given the source text."""

    text: str
    score: float


Translations: TypeAlias = tuple[Translation, ...]


class Translator(Protocol):
    """Translates from one language into another."""

    @property
    def identity(self) -> dict[str, str]:
        """Name and revision or SHA-256, stored with every run."""
        ...

    def translate(self, texts: Sequence[str], k: int) -> list[Translations]:
        """Return up to `k` best translations of each text, in order, likeliest first.

        The translations of a text are distinct, and do not depend on the other texts.
        """
        ...
