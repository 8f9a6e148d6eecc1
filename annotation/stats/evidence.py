"""Evidence on whether a person reads the pairs: others' labels, and likelihood ratios.

An honest annotator's ratio exceeds 1/a with probability at most a, however often it is checked and
whenever checking stops (Ville 1939; the sequential test is Wald's, "Sequential Tests of Statistical
Hypotheses", 1945). So answers can be reviewed one by one without raising the error rate; repeated
significance tests would accuse everyone in the end. All ratios are natural logs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Prior error rate, with the weight of USUAL_LABELS observed labels.
USUAL_ERROR, USUAL_LABELS = 0.1, 20
MOST_ERROR = 0.4
# A pair with a larger lead is practically certain; gold pairs gather hundreds of labels.
MOST_LEAD = 20
ROUNDS = 30

# Probability that carelessness, if there is any, began with the first answer.
FROM_FIRST = 0.8


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


def fit_crowd(labels: Iterable[Sequence[int]]) -> Crowd:
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


def careless_ratio(honest: Floats, careless: Floats) -> float:
    """Return the log ratio that carelessness began at some answer against that it never did.

    Both arrays hold the probability of each answer under one hypothesis, oldest first. The first
    careless answer is unknown: the first of all or, less likely, any (a mixture: Shiryaev, "On
    Optimum Methods in Quickest Detection Problems", 1963).
    """
    if not len(honest):
        return 0.0
    since = np.cumsum(np.log(careless / honest)[::-1])
    at_any = np.logaddexp.reduce(since) - log(len(since))
    return float(np.logaddexp(log(FROM_FIRST) + since[-1], log(1 - FROM_FIRST) + at_any))


def ratio_of_events(happened: Sequence[bool], *, honest: float, careless: float) -> float:
    """Return the log ratio that events have the careless rate against at most the honest one."""
    events = np.array(happened, dtype=bool)
    return careless_ratio(
        np.where(events, honest, 1 - honest), np.where(events, careless, 1 - careless)
    )


def ratio_of_shares(labels: Floats, honest: Floats, shares: Mapping[float, float]) -> float:
    """Return the log ratio that label 1 is given to some share of pairs, whatever the pair.

    `shares` maps each candidate share to its weight; the weights add up to 1.
    """
    ratios = [
        log(prior) + careless_ratio(honest, np.where(labels == 1, share, 1 - share))
        for share, prior in shares.items()
    ]
    return float(np.logaddexp.reduce(ratios))
