"""Decides which two phrases of a pool may be exchanged, so that both fit their new context."""

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

# Factor on the required similarity for each kind. Adjectives are judged together with their nouns;
# for names, it only has to rule out swapping a person with a river.
NEEDED = {
    Kind.NOUN: 1.0,
    Kind.VERB: 1.0,
    Kind.ADVERB: 1.0,
    Kind.ADJECTIVE: 0.6,
    Kind.NAME: 0.4,
}
# Additional factor for names after the same preposition: "in York" and "in Leeds".
SAME_BEFORE = 0.5
LARGEST_RATIO = 10

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+")


@dataclass(frozen=True, slots=True)
class Exchanges:
    """Checks which exchanges make sense within a sentence.

    `words` are the words in mid-sentence spelling, `least` is the similarity that nouns need, from
    -1 to 1; without a `likeness` all words count as similar.
    """

    tokens: Sequence[Token]
    words: Sequence[str]
    likeness: Likeness | None
    least: float

    def allows(self, one: Phrase, other: Phrase) -> bool:
        """Whether two phrases of one pool may be exchanged.

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
        """Whether the exchange keeps dates plausible, unlike "begun in 1897, it ends in 1881"."""
        after = (self.tokens[date.end].tag[:2] for date in (first, second))
        if all(tag in ("NN", "JJ") for tag in after):
            return True
        return dates.order(self._text(first)) >= dates.order(self._text(second))

    def _stand_alike(self, one: Phrase, other: Phrase) -> bool:
        """Whether both follow the same preposition other than "of", which fits any name."""
        one_before, other_before = self._before(one), self._before(other)
        is_preposition = one_before.tag in ("IN", "TO") and one_before.text.lower() != "of"
        return is_preposition and one_before.text.lower() == other_before.text.lower()

    def _before(self, phrase: Phrase) -> Token:
        return self.tokens[phrase.start - 1] if phrase.start else EDGE

    def _pairs(self, one: Phrase, other: Phrase) -> Iterator[tuple[Sequence[str], Sequence[str]]]:
        """Yield what must be similar: the phrases themselves and, for adjectives, their nouns."""
        yield self._text(one), self._text(other)
        nouns = noun_after(self.tokens, one.end), noun_after(self.tokens, other.end)
        if one.kind is Kind.ADJECTIVE and nouns[0] is not None and nouns[1] is not None:
            yield (self.words[nouns[0]],), (self.words[nouns[1]],)


def noun_after(tokens: Sequence[Token], place: int) -> int | None:
    """Return the place of the noun after an adjective ending at `place`: "old stone [bridge]"."""
    while place < len(tokens) and tokens[place].tag[:2] in ("JJ", "CD", "HY"):
        place += 1
    end = place
    while end < len(tokens) and tokens[end].tag[:2] == "NN":
        end += 1
    return end - 1 if end > place else None


def _of_one_size(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether one number is at most ten times the other; number words count as small.

    "40 villages with 9,000 people" makes no sense the other way round.
    """
    low, high = sorted((_value(one), _value(other)))
    return high <= LARGEST_RATIO * low


def _value(words: Sequence[str]) -> float:
    """Return the value of a number in digits, or 1 for number words."""
    matches = _NUMBER.fullmatch(words[0]) if len(words) == 1 else None
    return float(words[0].replace(",", "")) if matches else 1.0
