"""Which two phrases of one pool may change places: neither may be strange where the other stood."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

from generation.nlp import dates
from generation.nlp.change_kinds import Kind
from generation.nlp.grammar_frames import EDGE
from generation.nlp.phrases import Phrase
from generation.nlp.tagging import Token
from generation.nlp.vector_likeness import Likeness

# The part of the likeness that each kind needs. Adjectives are judged together with their nouns;
# of names it is only to be seen that they are not a person and a river.
NEEDED = {
    Kind.NOUN: 1.0,
    Kind.VERB: 1.0,
    Kind.ADVERB: 1.0,
    Kind.ADJECTIVE: 0.6,
    Kind.NAME: 0.4,
}
# The part of this that is enough for names after one preposition: "in York" and "in Leeds".
SAME_BEFORE = 0.5
LARGEST_RATIO = 10

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")


@dataclass(frozen=True, slots=True)
class Exchanges:
    """The exchanges that make sense within a sentence.

    `words` are those of the sentence as they are written inside it, `least` is how alike nouns
    must be used, from -1 to 1; without a `likeness` all words are alike.
    """

    tokens: Sequence[Token]
    words: Sequence[str]
    likeness: Likeness | None
    least: float

    def allows(self, one: Phrase, other: Phrase) -> bool:
        """Whether two phrases of one pool may change places.

        "large cities in small states" may become "small cities in large states", but "large cities
        with administrative duties" not "administrative cities with large duties".
        """
        if one.kind is Kind.NUMBER:
            return _of_one_size(self._text(one), self._text(other))
        if one.kind is Kind.DATE:
            return self._may_trade_dates(*sorted((one, other), key=lambda date: date.start))
        if self.likeness is None or one.kind not in NEEDED:
            return True
        found = [self.likeness.between(*pair) for pair in self._pairs(one, other)]
        least = self.least * NEEDED[one.kind]
        if one.kind is Kind.NAME and self._stand_alike(one, other):
            return found[0] is None or found[0] >= least * SAME_BEFORE
        return fmean(value or 0.0 for value in found) >= least

    def _text(self, phrase: Phrase) -> tuple[str, ...]:
        return tuple(self.words[phrase.start : phrase.end])

    def _may_trade_dates(self, first: Phrase, second: Phrase) -> bool:
        """Whether the exchange tells no story backwards: "begun in 1897, it ends in 1881"."""
        after = (self.tokens[date.end].tag[:2] for date in (first, second))
        if all(tag in ("NN", "JJ") for tag in after):
            return True
        return dates.order(self._text(first)) >= dates.order(self._text(second))

    def _stand_alike(self, one: Phrase, other: Phrase) -> bool:
        """Whether both stand after one preposition; "of" can stand before any name."""
        one_before, other_before = self._before(one), self._before(other)
        is_preposition = one_before.tag in ("IN", "TO") and one_before.text.lower() != "of"
        return is_preposition and one_before.text.lower() == other_before.text.lower()

    def _before(self, phrase: Phrase) -> Token:
        return self.tokens[phrase.start - 1] if phrase.start else EDGE

    def _pairs(self, one: Phrase, other: Phrase) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
        """What must be alike: the phrases themselves and, of adjectives, their nouns."""
        yield self._text(one), self._text(other)
        nouns = noun_after(self.tokens, one.end), noun_after(self.tokens, other.end)
        if one.kind is Kind.ADJECTIVE and nouns[0] is not None and nouns[1] is not None:
            yield (self.words[nouns[0]],), (self.words[nouns[1]],)


def noun_after(tokens: Sequence[Token], place: int) -> int | None:
    """The place of the noun that an adjective before `place` belongs to: "old stone [bridge]"."""
    while place < len(tokens) and tokens[place].tag[:2] in ("JJ", "CD", "HY"):
        place += 1
    end = place
    while end < len(tokens) and tokens[end].tag[:2] == "NN":
        end += 1
    return end - 1 if end > place else None


def _of_one_size(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one number is at most ten times the other; words are taken to be small numbers.

    "40 villages with 9,000 people" says nothing sensible the other way round.
    """
    low, high = sorted((_value(one), _value(other)))
    return high <= LARGEST_RATIO * low


def _value(words: Sequence[str]) -> float:
    """What a number in digits says; 1 where it is not written so."""
    matches = _NUMBER.fullmatch(words[0]) if len(words) == 1 else None
    return float(words[0].replace(",", "")) if matches else 1.0
