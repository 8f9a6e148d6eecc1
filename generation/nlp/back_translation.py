"""Back translation: into another language and back (PAWS 3.2)."""

import logging
import math
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Protocol, TypeAlias
from uuid import UUID

from generation.nlp.measures import PairFilter, TextPair, Verdict
from generation.nlp.names import lost_names
from generation.nlp.rewrites import ACCEPTED, Outcome, Rewrite, is_of_machine
from generation.nlp.settings import _, longest_sentence, setting
from generation.nlp.text import RefusedText, check
from generation.nlp.words import tokens, words

MAX_CHARACTERS = 5_000
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class BackTranslationSettings(PairFilter):
    """How back translations are generated, and selected as pairs; defaults follow PAWS 3.2.

    `reordered_share` is that among the rewrites of a batch.
    """

    SUBJECT: ClassVar[str] = "back translation"

    k: int = setting(
        5,
        _("Translations"),
        _("Of each sentence, and of each translation on the way back: 5 gives up to 25 rewrites."),
        bounds=(1, 50),
    )
    max_tokens: int = longest_sentence(100)
    max_rewrites: int = setting(
        25,
        _("Maximum rewrites per sentence"),
        _("The most likely ones are kept."),
        bounds=(1, 2_500),
    )
    strict: bool = setting(
        True,
        _("Names must stay"),
        _(
            "Drops rewrites that lose a name or a number of the sentence, and those in which only "
            "punctuation changes. The PAWS paper has no such rule."
        ),
    )
    corpus_language: str = ""


@dataclass(frozen=True, slots=True)
class Translation:
    """A translated text and its natural-log likelihood given the source text, None if unknown."""

    text: str
    score: float | None = None


Translations: TypeAlias = tuple[Translation, ...]
Translating: TypeAlias = Callable[[Sequence[str]], Sequence[Translations]]


class Translator(Protocol):
    """Translates from one language into another."""

    @property
    def identity(self) -> dict[str, str]: ...

    def translate(self, texts: Sequence[str], k: int) -> list[Translations]:
        """Return up to `k` distinct translations of each text, likeliest first."""
        ...


class Reason(StrEnum):
    """Why a sentence has no rewrite."""

    TOO_LONG = "too_long"
    NO_TRANSLATION = "no_translation"
    FAILED = "translation_failed"
    ONLY_IDENTICAL = "only_identical"
    BELOW_SIMILARITY = "below_similarity"
    NAME_LOST = "name_lost"
    MARKS_ONLY = "marks_only"
    NOT_DRAWN = "not_drawn"


class Kind(StrEnum):
    """What a back translation changed (the two kinds of PAWS Table 2)."""

    WORD_ORDER = "word order"
    WORD_CHOICE = "word choice"


@dataclass(frozen=True, slots=True)
class BackTranslator:
    """Back-translates plain texts with one pair of translators and one configuration.

    `language` is that of the texts (BCP 47), "" if unknown: the rule for names depends on it.
    """

    forward: Translator
    backward: Translator
    settings: BackTranslationSettings = BackTranslationSettings()
    language: str = ""

    @property
    def identities(self) -> dict[str, dict[str, str]]:
        return {"forward": self.forward.identity, "backward": self.backward.identity}

    def outcomes(self, texts: Sequence[str]) -> list[Outcome]:
        """Return one outcome per text; reordered rewrites are a share of those of all texts."""
        return self.outcomes_after(texts, frozenset())

    def outcomes_after(self, texts: Sequence[str], earlier: Set[UUID]) -> list[Outcome]:
        """Return the same outcomes where earlier pairs, with the keys `earlier`, exist."""
        different = list(dict.fromkeys(texts))
        trips_or_reason = dict(zip(different, self._trips_or_reasons(different), strict=True))
        pairs_kept = self._pairs_to_keep(trips_or_reason, earlier)
        return [self._outcome(text, trips_or_reason[text], pairs_kept) for text in texts]

    def trips(self, texts: Sequence[str]) -> dict[str, Translations | None]:
        """Return all round trips of each text that is not too long; None if a model fails on it."""
        fit = [text for text in texts if len(tokens(text)) <= self.settings.max_tokens]
        return translate_each(fit, self._round_trips)

    def _trips_or_reasons(self, texts: Sequence[str]) -> list[Translations | Reason]:
        trips = self.trips(texts)
        return [
            self._similar_trips(text, trips[text]) if text in trips else Reason.TOO_LONG
            for text in texts
        ]

    def _round_trips(self, texts: Sequence[str]) -> list[Translations]:
        """Return all round trips of each text; each distinct pivot text is translated once."""
        pivots_of_texts = self.forward.translate(texts, self.settings.k)
        pivots = list(
            dict.fromkeys(pivot.text for translations in pivots_of_texts for pivot in translations)
        )
        back_translations = dict(
            zip(pivots, self.backward.translate(pivots, self.settings.k), strict=True)
        )
        return [round_trips(translations, back_translations) for translations in pivots_of_texts]

    def _similar_trips(self, source: str, trips: Translations | None) -> Translations | Reason:
        if trips is None:
            return Reason.FAILED
        if not trips:
            return Reason.NO_TRANSLATION
        if not (reworded := [trip for trip in trips if _key(trip.text) != _key(source)]):
            return Reason.ONLY_IDENTICAL
        similar = [trip for trip in reworded if self.settings.is_alike((source, trip.text))]
        faults = {trip: self._fault(source, trip.text) for trip in similar}
        usable = [trip for trip, fault in faults.items() if fault is None]
        if not usable:
            return next(filter(None, faults.values()), Reason.BELOW_SIMILARITY)
        return tuple(usable[: self.settings.max_rewrites])

    def _fault(self, source: str, rewrite: str) -> Reason | None:
        """Return why a rewrite is dropped although it is similar; None if it is kept."""
        if not self.settings.strict:
            return None
        if lost_names(source, rewrite, self.language):
            return Reason.NAME_LOST
        same_words = words(source.casefold()) == words(rewrite.casefold())
        return Reason.MARKS_ONLY if same_words else None

    def _pairs_to_keep(
        self, trips_or_reason: Mapping[str, Translations | Reason], earlier: Set[UUID]
    ) -> set[TextPair]:
        pairs = [
            (source, trip.text)
            for source, trips in trips_or_reason.items()
            if not isinstance(trips, Reason)
            for trip in trips
        ]
        verdicts = zip(pairs, self.settings.verdicts(pairs, earlier), strict=True)
        return {pair for pair, verdict in verdicts if verdict is Verdict.KEPT}

    def _outcome(
        self, source: str, trips: Translations | Reason, pairs_kept: set[TextPair]
    ) -> Outcome:
        if isinstance(trips, Reason):
            return Outcome(str(trips))
        rewrites = []
        for trip in trips:
            if (pair := (source, trip.text)) in pairs_kept:
                reordered = self.settings.is_reordered(pair)
                kind = Kind.WORD_ORDER if reordered else Kind.WORD_CHOICE
                rewrites.append(Rewrite(trip.text, str(kind), trip.score))
        return Outcome(ACCEPTED if rewrites else str(Reason.NOT_DRAWN), tuple(rewrites))


def round_trips(translations: Translations, back: Mapping[str, Translations]) -> Translations:
    """Return the distinct round trips of one sentence, likeliest first; those without a score last.

    `back` maps each of its `translations` to the back translations. Texts that differ only in case
    or white space count as one, and texts that cannot be stored are dropped.
    """
    trips = (
        Translation(text, _sum(translation.score, returned.score))
        for translation in translations
        for returned in back[translation.text]
        if (text := storable(returned.text))
    )
    trip_of_key: dict[tuple[str, ...], Translation] = {}
    for trip in sorted(trips, key=_place):
        trip_of_key.setdefault(_key(trip.text), trip)
    return tuple(trip_of_key.values())


def _sum(score1: float | None, score2: float | None) -> float | None:
    return None if score1 is None or score2 is None else score1 + score2


def _place(trip: Translation) -> tuple[float, str]:
    return math.inf if trip.score is None else -trip.score, trip.text


def translate_each(texts: Sequence[str], translate: Translating) -> dict[str, Translations | None]:
    """Return the translations of each text; None for a text that a model fails on, alone.

    Raises the error if there is no text that can be translated, or if memory ran out.
    """
    try:
        return dict(zip(texts, translate(texts), strict=True))
    except Exception as error:
        if len(texts) == 1 or is_of_machine(error):
            raise
        logger.warning("A batch failed; its texts are translated one by one", exc_info=True)
        translations = {text: _translate_one(text, translate) for text in texts}
        if not any(translation is not None for translation in translations.values()):
            raise
        return translations


def storable(text: str) -> str:
    """Return the text normalised for storage, or "" if it cannot be stored."""
    try:
        return check(text, max_characters=MAX_CHARACTERS)
    except RefusedText:
        return ""


def _translate_one(text: str, translate: Translating) -> Translations | None:
    try:
        return translate([text])[0]
    except Exception as error:
        if is_of_machine(error):
            raise
        return None


def _key(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in tokens(text))
