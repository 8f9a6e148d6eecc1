"""What the others of a study say: how common each outcome is, and how often they are wrong."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Prior error rate, with the weight of USUAL_LABELS observed labels.
USUAL_ERROR, USUAL_LABELS = 0.1, 20
MOST_ERROR = 0.4
# A pair with a larger lead is practically certain; gold pairs gather hundreds of labels.
MOST_LEAD = 20
ROUNDS = 30


@dataclass(frozen=True, slots=True)
class Crowd:
    """All others: the share of pairs with each outcome, and the share of wrong labels.

    A wrong label is each of the other outcomes with the same probability.
    """

    shares: tuple[float, ...]
    error: float

    def beliefs(self, tallies: Floats) -> Floats:
        """Return the probability of each outcome of pairs, from the labels that they got.

        Both have the shape (pairs, outcomes).
        """
        lead = np.clip(tallies[:, 1:] - tallies[:, :1], -MOST_LEAD, MOST_LEAD)
        wrong = self.error / (len(self.shares) - 1)
        odds = np.array(self.shares[1:]) / self.shares[0] * ((1 - self.error) / wrong) ** lead
        others = odds / (1 + odds.sum(axis=1, keepdims=True))
        return np.hstack([1 - others.sum(axis=1, keepdims=True), others])


def tallies_of(labels: Iterable[Sequence[int]], outcomes: int) -> Floats:
    """Return how often each pair got each outcome, shape (pairs, outcomes)."""
    rows = [
        [labels_of_pair.count(outcome) for outcome in range(outcomes)] for labels_of_pair in labels
    ]
    return np.array(rows, dtype=float).reshape(-1, outcomes)


def fit_crowd(labels: Iterable[Sequence[int]], outcomes: int = 2) -> Crowd:
    """Return the crowd most likely to give these labels, from 0 to `outcomes` - 1, to each pair.

    The true outcome is latent, and all annotators share one error rate (Dawid and Skene, "Maximum
    Likelihood Estimation of Observer Error-Rates Using the EM Algorithm", 1979): a mixture of
    multinomials.
    """
    return fit_votes(
        Counter(map(tuple, tallies_of(labels, outcomes).astype(int).tolist())), outcomes
    )


def fit_votes(votes: Mapping[tuple[int, ...], int], outcomes: int = 2) -> Crowd:
    """Return the crowd most likely to give these tallies, each to a number of pairs."""
    tallies = np.array(list(votes), dtype=float).reshape(-1, outcomes)
    pairs = np.array(list(votes.values()), dtype=float)
    labelled = tallies.sum(axis=1)
    crowd = Crowd((1 / outcomes,) * outcomes, USUAL_ERROR)
    for _ in range(ROUNDS):
        beliefs = crowd.beliefs(tallies)
        others = (pairs @ beliefs[:, 1:] + 1) / (pairs.sum() + outcomes)
        wrong = pairs @ (beliefs * (labelled[:, None] - tallies)).sum(axis=1)
        error = (wrong + USUAL_ERROR * USUAL_LABELS) / (pairs @ labelled + USUAL_LABELS)
        shares = (float(1 - others.sum()), *map(float, others))
        crowd = Crowd(shares, min(MOST_ERROR, float(error)))
    return crowd
