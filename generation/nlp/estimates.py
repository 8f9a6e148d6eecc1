"""How likely people accept a rewrite, and how likely it is a paraphrase."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from generation.nlp.acceptance import Acceptance, Exchange
from generation.nlp.list_permutations import cycles, is_list_permutation
from generation.nlp.settings import WordSwapSettings
from generation.nlp.tries import Reason, Tried
from generation.nlp.vector_likeness import VectorLikeness

# Rewrites of a sentence whose acceptance is estimated: the likeliest of those that pass.
MOST_ESTIMATED = 12


@dataclass(frozen=True, slots=True)
class Estimate:
    """How likely people must accept a rewrite, and what estimates it."""

    settings: WordSwapSettings
    likeness: VectorLikeness | None
    acceptance: Acceptance | None

    def with_probabilities(self, tried: Sequence[Tried]) -> list[Tried]:
        """Return rewrites with their probabilities; those below the least are ODD.

        Without an estimate, they are returned as they are.
        """
        if not self.settings.acceptance or self.likeness is None or self.acceptance is None:
            return [*tried]
        estimates = []
        swaps = [rewrite for rewrite in tried if rewrite.move is None]
        for rewrite in (*swaps[:MOST_ESTIMATED], *(rewrite for rewrite in tried if rewrite.move)):
            probability = 1.0
            for features in all_features(rewrite, self.likeness):
                probability *= self.acceptance.probability(features)
            probability = self.settings.recalibration.of(probability)
            least = self.settings.least_acceptance(rewrite.text)
            objection = None if probability >= least else Reason.ODD
            estimates.append(replace(rewrite, probability=probability, objection=objection))
        return estimates


def all_features(tried: Tried, likeness: VectorLikeness) -> Iterator[Mapping[str, float]]:
    """Yield the features of a move, or of each exchange, as if several were independent."""
    if tried.move:
        yield tried.features_of_move()
        return
    template = tried.template
    words = template.words(template.source)
    is_list = is_list_permutation(template, tried.filling)
    for cycle in cycles(template.source, tried.filling):
        phrases = [template.phrases[slot] for slot in sorted(cycle)]
        for phrase1, phrase2 in pairwise(phrases):
            exchange = Exchange(template.tokens, words, phrase1, phrase2, tried.loss)
            is_beside = phrase1.end == phrase2.start
            reasons = {"list": is_list and not is_beside, "side_by_side": is_beside}
            yield {**exchange.features(likeness), **reasons}
