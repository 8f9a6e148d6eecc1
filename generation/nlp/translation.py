"""Translation of sentences into another language (PAWS-X 2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from generation.nlp.back_translation import Translations, Translator, storable, translate_each
from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite
from generation.nlp.settings import Settings, longest_sentence
from generation.nlp.text import folded
from generation.nlp.words import tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class TranslationSettings(Settings):
    """How sentences are translated. Nothing is drawn by the seed.

    Models cut what is longer than 512 of their tokens.
    """

    SUBJECT: ClassVar[str] = "translation"

    max_tokens: int = longest_sentence(200, most=250)
    corpus_language: str = ""
    seed: int = 0


class Reason(StrEnum):
    """Why a sentence has no translation."""

    EMPTY = "empty"
    UNCHANGED = "unchanged"
    TOO_LONG = "too_long"
    FAILED = "translation_failed"


@dataclass(frozen=True, slots=True)
class SentenceTranslator:
    """Translates plain texts, each into the likeliest text of one translator."""

    forward: Translator
    settings: TranslationSettings = TranslationSettings()

    @property
    def identities(self) -> dict[str, dict[str, str]]:
        return {"forward": self.forward.identity}

    def outcomes(self, texts: Sequence[str]) -> list[Outcome]:
        """Return one outcome per text (one sentence each), in order; equal texts are one."""
        short_texts = [
            text for text in dict.fromkeys(texts) if len(tokens(text)) <= self.settings.max_tokens
        ]
        translations = translate_each(short_texts, lambda batch: self.forward.translate(batch, 1))
        return [
            outcome(text, translations[text])
            if text in translations
            else Outcome(str(Reason.TOO_LONG))
            for text in texts
        ]


def outcome(source: str, translations: Translations | None) -> Outcome:
    """Return the first translation, or why a text has none; None if the translator failed."""
    if translations is None:
        return Outcome(str(Reason.FAILED))
    text = storable(translations[0].text) if translations else ""
    if not text:
        return Outcome(str(Reason.EMPTY))
    if folded(text).casefold() == folded(source).casefold():
        return Outcome(str(Reason.UNCHANGED))
    return Outcome(ACCEPTED, (Rewrite(text, score=translations[0].score),))
