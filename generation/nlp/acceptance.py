"""The probability that people who correct a word swap accept it as it is.

A logistic regression over the likelihood that the exchange loses, the exchanged phrases and the
words around them, fitted on candidates that people read (`training/acceptance.py`).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from generation.nlp import noun_phrases
from generation.nlp.exchanges import EDGE, frame, noun_after
from generation.nlp.logistic import Logistic, logistic
from generation.nlp.phrases import Kind, Phrase, word_set
from generation.nlp.tagging import Token
from generation.nlp.vector_likeness import UNKNOWN, VectorLikeness

EMBEDDED_FILE = Path(__file__).parent / "embedded" / "en_acceptance.json"
# Beyond these, likelihood says no more about a candidate.
LEAST_LOSS, MOST_LOSS = -8.0, 12.0
NEAR = 3  # words between phrases that depend on each other: "Pune in the state of Goa"
SHORT = 3  # letters of a word that is not worth counting
LINKS = word_set("of in at on from near to for or 's ’s the a an")
PRONOUNS = word_set("he she his her him hers")


@dataclass(frozen=True, slots=True)
class Exchange:
    """Two phrases of a sentence that change places, the earlier one first.

    `words` are those of the sentence in mid-sentence spelling; `loss` is by how many nats the
    sentence becomes less likely.
    """

    tokens: Sequence[Token]
    words: Sequence[str]
    one: Phrase
    other: Phrase
    loss: float

    def features(self, likeness: VectorLikeness) -> dict[str, float]:
        kind = self.one.kind
        similarity = likeness.between(self._text(self.one), self._text(self.other))
        features = {
            "loss": min(max(self.loss, LEAST_LOSS), MOST_LOSS),
            f"is_{kind}": 1.0,
            f"alike_{kind}": UNKNOWN if similarity is None else similarity,
            **self._frequency(likeness),
            "repeated": self._is_repeated(),
            "pronoun": any(word.lower() in PRONOUNS for word in self.words),
        }
        return {**features, **self._context_features(likeness), **self._link_features()}

    def _context_features(self, likeness: VectorLikeness) -> dict[str, float]:
        tokens_before = [self._token(phrase.start - 1) for phrase in (self.one, self.other)]
        tokens_after = [self._token(phrase.end) for phrase in (self.one, self.other)]
        frames = [frame(self.tokens, phrase) for phrase in (self.one, self.other)]
        features: dict[str, float] = {
            "same_frame": frames[0] is not None and frames[0] == frames[1],
            "same_word_before": tokens_before[0].text.lower() == tokens_before[1].text.lower(),
            "same_tag_before": tokens_before[0].tag[:2] == tokens_before[1].tag[:2],
            "same_tag_after": tokens_after[0].tag[:2] == tokens_after[1].tag[:2],
            "alike_after": _alike_after(tokens_after[0].text, tokens_after[1].text, likeness),
            "of_after": sum(token.text.lower() == "of" for token in tokens_after),
        }
        if self.one.kind is Kind.NAME:
            features["people"] = sum(phrase.label == "PERSON" for phrase in (self.one, self.other))
            features["after_noun"] = any(token.tag in ("NN", "NNS") for token in tokens_before)
        if self.one.kind is Kind.NOUN_PHRASE:
            pair = self.one, self.other
            features |= noun_phrases.features(self.tokens, self.words, pair, likeness)
        if self.one.kind is Kind.ADJECTIVE:
            features["alike_nouns"] = self._alike_nouns(likeness)
        return features

    def _alike_nouns(self, likeness: VectorLikeness) -> float:
        noun1, noun2 = (noun_after(self.tokens, phrase.end) for phrase in (self.one, self.other))
        if noun1 is None or noun2 is None:
            return 0.0
        return likeness.between((self.words[noun1],), (self.words[noun2],)) or 0.0

    def _link_features(self) -> dict[str, float]:
        """Return whether near phrases are joined by "and", or one probably depends on the other."""
        words_between = [word.lower() for word in self.words[self.one.end : self.other.start]]
        is_near = len(words_between) <= NEAR
        return {
            "joined": is_near and "and" in words_between,
            "linked": is_near and bool(words_between) and LINKS.issuperset(words_between),
        }

    def _frequency(self, likeness: VectorLikeness) -> dict[str, float]:
        words = (*self._text(self.one), *self._text(self.other))
        ranks = [math.log(10 + likeness.rank(word)) for word in words]
        return {"rarest": max(ranks), "commonest": min(ranks)}

    def _is_repeated(self) -> bool:
        inside = {*range(self.one.start, self.one.end), *range(self.other.start, self.other.end)}
        moved = {_stem(self.words[place]) for place in inside} - {""}
        words = (word for place, word in enumerate(self.words) if place not in inside)
        return not moved.isdisjoint(map(_stem, words))

    def _text(self, phrase: Phrase) -> Sequence[str]:
        return self.words[phrase.start : phrase.end]

    def _token(self, place: int) -> Token:
        return self.tokens[place] if 0 <= place < len(self.tokens) else EDGE


def _stem(word: str) -> str:
    """Return a longer word in lower case without a final s, or nothing for a short one."""
    lower = word.lower()
    return lower.removesuffix("s") if len(lower) > SHORT else ""


def _alike_after(one: str, other: str, likeness: VectorLikeness) -> float:
    alike = likeness.between((one,), (other,)) if one and other else None
    return alike if alike is not None else 1.0 if one == other else 0.3


@dataclass(frozen=True, slots=True)
class Acceptance(Logistic):
    """The fitted weights of the features, and of what a second language model adds.

    `judged` holds the weights "constant", "logit" (of the first probability) and "loss" (the nats
    that a candidate loses by the second model).
    """

    judged: Mapping[str, float]

    def judged_probability(self, probability: float, loss: float) -> float:
        logit = math.log(probability / (1.0 - probability))
        loss = min(max(loss, LEAST_JUDGED), MOST_JUDGED)
        weights = self.judged
        return logistic(weights["constant"] + weights["logit"] * logit + weights["loss"] * loss)


LEAST_JUDGED, MOST_JUDGED = -10.0, 30.0


@cache
def load_embedded() -> Acceptance:
    """Return the weights that ship with Pawsmith. Raises OSError or ValueError."""
    return Acceptance.load(EMBEDDED_FILE)
