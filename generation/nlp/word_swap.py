"""Word swapping: a sentence with the same words in another order (PAWS 3.1)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from generation.nlp.kinds import Kind
from generation.nlp.language_model import LanguageModel
from generation.nlp.swap_settings import WordSwapSettings
from generation.nlp.tagging import TaggedSentence, Tagger

__all__ = ["Alternative", "Outcome", "Reason", "Swap", "WordSwapSettings", "WordSwapper", "swap"]


class Reason(StrEnum):
    """Why a sentence gave no swap."""

    TOO_SHORT = "too_short"
    TOO_LONG = "too_long"
    NOTHING_TO_SWAP = "nothing_to_swap"
    BELOW_THRESHOLD = "below_threshold"
    LIST_PERMUTATION = "list_permutation"


@dataclass(frozen=True, slots=True)
class Alternative:
    """A rewritten sentence with its natural-log likelihood and the kind of its change."""

    text: str
    log_likelihood: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class Swap:
    """The best swap of a sentence; `alternatives` are the best few, the chosen one first."""

    text: str
    log_likelihood: float
    source_log_likelihood: float
    kind: Kind
    alternatives: tuple[Alternative, ...]


Outcome: TypeAlias = Swap | Reason


def swap(tagged: TaggedSentence, model: LanguageModel, settings: WordSwapSettings) -> Outcome:
    """The best swap of a tagged sentence, or the reason why there is none."""
    raise NotImplementedError


@dataclass(frozen=True, slots=True)
class WordSwapper:
    """Word swapping from plain texts, with one tagger, one language model and one setting."""

    tagger: Tagger
    model: LanguageModel
    settings: WordSwapSettings = WordSwapSettings()

    def outcomes(self, texts: Iterable[str]) -> Iterator[Outcome]:
        """One outcome for each text (one sentence each), in order."""
        for tagged in self.tagger.tag(texts):
            yield swap(tagged, self.model, self.settings)
