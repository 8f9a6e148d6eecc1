"""Back translation: into another language and back (PAWS 3.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from generation.nlp.back_translation_settings import BackTranslationSettings
from generation.nlp.measures import words
from generation.nlp.pair_filter import TextPair, Verdict
from generation.nlp.text import RefusedText, check
from generation.nlp.translation import Translations, Translator

MAX_CHARACTERS = 5_000


class Reason(StrEnum):
    """Why a sentence has no rewrite."""

    TOO_LONG = "too_long"
    NO_TRANSLATION = "no_translation"
    ONLY_IDENTICAL = "only_identical"
    BELOW_SIMILARITY = "below_similarity"
    NOT_DRAWN = "not_drawn"


class Kind(StrEnum):
    """What a back translation changed (the two kinds of PAWS Table 2)."""

    WORD_ORDER = "word order"
    WORD_CHOICE = "word choice"


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """A back-translated sentence, with the natural-log likelihood of its likeliest path.

    `pivot` is the text in the other language on that path.
    """

    text: str
    score: float
    pivot: str


RoundTrips: TypeAlias = tuple[RoundTrip, ...]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A round trip that passed the filter."""

    trip: RoundTrip
    kind: Kind


Outcome: TypeAlias = tuple[Rewrite, ...] | Reason


@dataclass(frozen=True, slots=True)
class BackTranslator:
    """Back-translates plain texts with one pair of translators and one configuration."""

    forward: Translator
    backward: Translator
    settings: BackTranslationSettings = BackTranslationSettings()

    def outcomes(self, texts: Sequence[str]) -> list[Outcome]:
        """Return one outcome per text (one sentence each), in order; likeliest rewrites first.

        The share of reordered rewrites is taken over all rewrites of these texts.
        """
        different = list(dict.fromkeys(texts))
        passed = dict(zip(different, self._passed(different), strict=True))
        kept = self._kept(passed)
        return [self._outcome(text, passed[text], kept) for text in texts]

    def _passed(self, texts: Sequence[str]) -> list[RoundTrips | Reason]:
        """Return, for each text, its sufficiently similar rewrites or why there are none."""
        fit = [text for text in texts if len(words(text)) <= self.settings.max_tokens]
        trips = dict(zip(fit, self._round_trips(fit), strict=True))
        return [
            self._alike(text, trips[text]) if text in trips else Reason.TOO_LONG for text in texts
        ]

    def _round_trips(self, texts: Sequence[str]) -> list[RoundTrips]:
        """Return all round trips of each text; each distinct pivot text is translated once."""
        there = self.forward.translate(texts, self.settings.k)
        pivots = list(dict.fromkeys(one.text for some in there for one in some))
        back = dict(zip(pivots, self.backward.translate(pivots, self.settings.k), strict=True))
        return [round_trips(some, back) for some in there]

    def _alike(self, source: str, trips: RoundTrips) -> RoundTrips | Reason:
        if not trips:
            return Reason.NO_TRANSLATION
        if not (others := [trip for trip in trips if _key(trip.text) != _key(source)]):
            return Reason.ONLY_IDENTICAL
        rule = self.settings.filter
        alike = [trip for trip in others if rule.is_alike((source, trip.text))]
        return tuple(alike[: self.settings.max_rewrites]) or Reason.BELOW_SIMILARITY

    def _kept(self, passed: Mapping[str, RoundTrips | Reason]) -> set[TextPair]:
        pairs = [
            (source, trip.text)
            for source, trips in passed.items()
            if not isinstance(trips, Reason)
            for trip in trips
        ]
        verdicts = zip(pairs, self.settings.filter.verdicts(pairs), strict=True)
        return {pair for pair, verdict in verdicts if verdict is Verdict.KEPT}

    def _outcome(self, source: str, passed: RoundTrips | Reason, kept: set[TextPair]) -> Outcome:
        if isinstance(passed, Reason):
            return passed
        chosen = [trip for trip in passed if (source, trip.text) in kept]
        rewrites = tuple(Rewrite(trip, self._kind(source, trip)) for trip in chosen)
        return rewrites or Reason.NOT_DRAWN

    def _kind(self, source: str, trip: RoundTrip) -> Kind:
        reordered = self.settings.filter.is_reordered((source, trip.text))
        return Kind.WORD_ORDER if reordered else Kind.WORD_CHOICE


def round_trips(there: Translations, back: Mapping[str, Translations]) -> RoundTrips:
    """Return the distinct round trips of one sentence, likeliest first.

    `there` are its translations, `back` maps each of them to its back translations. Texts that
    differ only in case or white space count as one, and texts that cannot be stored are dropped.
    """
    ways = (
        RoundTrip(text, forth.score + home.score, forth.text)
        for forth in there
        for home in back[forth.text]
        if (text := _storable(home.text))
    )
    return tuple(_distinct(sorted(ways, key=lambda way: (-way.score, way.text, way.pivot))))


def _distinct(ways: Iterable[RoundTrip]) -> Iterable[RoundTrip]:
    first: dict[tuple[str, ...], RoundTrip] = {}
    for way in ways:
        first.setdefault(_key(way.text), way)
    return first.values()


def _key(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in words(text))


def _storable(text: str) -> str:
    """Return the text normalised for storage, or "" if it cannot be stored."""
    try:
        return check(text, max_characters=MAX_CHARACTERS)
    except RefusedText:
        return ""
