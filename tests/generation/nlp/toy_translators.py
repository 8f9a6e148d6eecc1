"""Translators without a model: by a dictionary, or by rules that make back translations to sift."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generation.nlp.translation import Translation, Translations


@dataclass
class Phrasebook:
    """Knows some texts, each with its translations and scores; remembers what it was asked."""

    known: Mapping[str, Sequence[tuple[str, float]]]
    asked: list[str] = field(default_factory=list)
    identity: Mapping[str, str] = field(default_factory=lambda: {"name": "phrasebook"})

    def translate(self, texts: Sequence[str], k: int) -> list[Translations]:
        self.asked += texts
        found = (self.known.get(text, ()) for text in texts)
        return [tuple(Translation(*entry) for entry in entries)[:k] for entries in found]


@dataclass(frozen=True)
class Marked:
    """Translates by a mark before the sentence: what it marks, the other one takes off again."""

    identity: Mapping[str, str] = field(default_factory=lambda: {"name": "marked", "sha256": "1"})

    def translate(self, texts: Sequence[str], k: int) -> list[Translations]:
        marked = (
            [Translation(f"{n}>{text}", -float(n)) for n in range(1, k + 1)] for text in texts
        )
        return [tuple(translations) for translations in marked]


@dataclass(frozen=True)
class Unmarked:
    """Gives the marked sentence back, then with its first words last, then with other words."""

    identity: Mapping[str, str] = field(default_factory=lambda: {"name": "unmarked", "sha256": "2"})

    def translate(self, texts: Sequence[str], k: int) -> list[Translations]:
        return [self._translated(text)[:k] for text in texts]

    def _translated(self, text: str) -> Translations:
        mark, _, sentence = text.partition(">")
        first, *rest = sentence.removesuffix(".").split()
        ways = [
            sentence,
            f"{' '.join([*rest[int(mark) - 1 :], first, *rest[: int(mark) - 1]])}.",
            f"{' '.join([first, *rest])} {mark}.",
            "Something else.",
        ]
        return tuple(Translation(way, -float(place)) for place, way in enumerate(ways))
