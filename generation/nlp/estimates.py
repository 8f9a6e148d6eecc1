"""How likely people accept a rewrite, and how likely it is a paraphrase."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import prod

from generation.nlp.acceptance import Acceptance, Exchange
from generation.nlp.adverbials import is_finite
from generation.nlp.list_permutations import cycles, is_list_permutation
from generation.nlp.logistic import Logistic
from generation.nlp.phrases import Phrase
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tagging import Token
from generation.nlp.tries import Reason, Tried
from generation.nlp.vector_likeness import VectorLikeness

# Rewrites of a sentence whose acceptance is estimated: the likeliest of those that pass.
MOST_ESTIMATED = 12

# "Kim and Park won gold and silver respectively", "in that order": the order has a meaning.
ORDERED = re.compile(r"\b(respectively|in \w+ order)\b")


@dataclass(frozen=True, slots=True)
class Estimate:
    """How likely people must accept a rewrite, and what estimates it and its meaning."""

    settings: WordSwapSettings
    likeness: VectorLikeness | None
    acceptance: Acceptance | None
    paraphrase: Logistic | None = None

    def with_probabilities(self, tried: Sequence[Tried]) -> list[Tried]:
        """Return rewrites with their probabilities; those below the least are ODD.

        Without an estimate, they are returned as they are.
        """
        if not self.settings.acceptance or self.likeness is None or self.acceptance is None:
            return [*tried]
        estimates = []
        swaps = [rewrite for rewrite in tried if rewrite.move is None]
        for rewrite in (*swaps[:MOST_ESTIMATED], *(rewrite for rewrite in tried if rewrite.move)):
            features = list(all_features(rewrite, self.likeness))
            uncorrected = prod(map(self.acceptance.probability, features))
            probability = self.settings.recalibration.corrected(uncorrected)
            paraphrase = (
                prod(map(self.paraphrase.probability, features)) if self.paraphrase else None
            )
            least = self.settings.least_acceptance(rewrite.text)
            # No one has read rewrites below the limit, so a correction adds none of them.
            is_odd = min(probability, uncorrected) < least
            objection = Reason.ODD if is_odd else None
            estimates.append(
                replace(
                    rewrite, probability=probability, paraphrase=paraphrase, objection=objection
                )
            )
        return estimates


def all_features(tried: Tried, likeness: VectorLikeness) -> Iterator[Mapping[str, float]]:
    """Yield the features of a move, or of each exchange, as if several were independent."""
    if tried.move:
        yield tried.features_of_move()
        return
    template = tried.template
    words = template.words(template.source)
    is_bound = ORDERED.search(" ".join(words).casefold())
    is_list = not is_bound and is_list_permutation(template, tried.filling)
    for cycle in cycles(template.source, tried.filling):
        phrases = [template.phrases[slot] for slot in sorted(cycle)]
        for phrase1, phrase2 in pairwise(phrases):
            exchange = Exchange(template.tokens, words, phrase1, phrase2, tried.loss)
            is_beside = phrase1.end == phrase2.start
            is_in_clause = _are_of_a_clause(template.tokens, phrase1, phrase2)
            reasons = {
                "list": is_list and is_in_clause and not is_beside,
                "side_by_side": is_beside,
            }
            yield {**exchange.features(likeness), **reasons}


def _are_of_a_clause(tokens: Sequence[Token], one: Phrase, other: Phrase) -> bool:
    """Whether no verb is between two phrases, the earlier one first, nor around them both.

    "They pull on tendons, and ligaments hold them" has two clauses.
    """
    before, between = tokens[: one.start], tokens[one.end : other.start]
    has_verb_after = is_finite(tokens[other.end : other.end + 1])
    return not (is_finite(between) or (has_verb_after and is_finite(before)))
