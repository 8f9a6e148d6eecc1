"""Belief in the label of a pair, from labels of other annotators."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

# Prior error rate, with the weight of USUAL_LABELS observed labels.
USUAL_ERROR, USUAL_LABELS = 0.1, 20
MOST_ERROR = 0.4
# A pair with a larger lead is practically certain; gold pairs gather hundreds of labels.
MOST_LEAD = 20
ROUNDS = 30


@dataclass(frozen=True, slots=True)
class Crowd:
    """All others: the share of pairs that are paraphrases, and the share of wrong labels."""

    paraphrases: float
    error: float

    def belief(self, others: Sequence[int]) -> float:
        """Return the probability that a pair with these labels, in any order, is a paraphrase."""
        lead = max(-MOST_LEAD, min(MOST_LEAD, 2 * sum(others) - len(others)))
        odds = self.paraphrases / (1 - self.paraphrases) * ((1 - self.error) / self.error) ** lead
        return float(odds / (1 + odds))


def fit(labels: Iterable[Sequence[int]]) -> Crowd:
    """Return the crowd most likely to give these labels of 0 and 1 to each pair.

    The true label is latent, and all annotators share one error rate (Dawid and Skene, "Maximum
    Likelihood Estimation of Observer Error-Rates Using the EM Algorithm", 1979): a mixture of two
    binomials.
    """
    tallies = Counter((sum(each), len(each)) for each in labels)
    same, given = np.array(list(tallies), dtype=float).reshape(-1, 2).T
    pairs = np.array(list(tallies.values()), dtype=float)
    lead = np.clip(2 * same - given, -MOST_LEAD, MOST_LEAD)
    paraphrases, error = 0.5, USUAL_ERROR
    for _ in range(ROUNDS):
        odds = paraphrases / (1 - paraphrases) * ((1 - error) / error) ** lead
        belief = odds / (1 + odds)
        paraphrases = float((pairs @ belief + 1) / (pairs.sum() + 2))
        wrong = pairs @ (belief * (given - same) + (1 - belief) * same)
        seen = pairs @ given + USUAL_LABELS
        error = min(MOST_ERROR, float((wrong + USUAL_ERROR * USUAL_LABELS) / seen))
    return Crowd(paraphrases, error)
