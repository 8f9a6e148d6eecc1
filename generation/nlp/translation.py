"""The seam between back translation and translators (PAWS 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated text and the natural log of its likelihood, given the text it translates."""

    text: str
    score: float


Translations: TypeAlias = tuple[Translation, ...]


class Translator(Protocol):
    """Translates from one language into one other."""

    @property
    def identity(self) -> dict[str, str]:
        """Name and revision or SHA-256, stored with every run."""
        ...

    def translate(self, texts: Sequence[str], k: int) -> list[Translations]:
        """For each text, in order, its at most `k` best translations, likeliest first.

        The translations of a text are distinct, and do not depend on what it is translated with.
        """
        ...
