"""How much better carelessness explains somebody's answers than reading does, at any time.

An honest person's likelihood ratio exceeds 1/a with a chance of at most a, however often one looks
and whenever one stops (Ville 1939; the sequential test is Wald's, "Sequential Tests of Statistical
Hypotheses", 1945). So a review may look after each answer without spoiling its error rate, where
repeated significance tests would accuse everybody in the end. All ratios here are natural logs.
"""

from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# How likely carelessness, if there is any, is to have been there from the first answer on.
FROM_FIRST = 0.8


def of_careless(honest: Floats, careless: Floats) -> float:
    """That carelessness began at some answer, against that it never did.

    Both hold the probability that one account gives to each answer, oldest first. The answer at
    which it began is unknown: the first or, less likely, any (a mixture: Shiryaev, "On Optimum
    Methods in Quickest Detection Problems", 1963).
    """
    if not len(honest):
        return 0.0
    since = np.cumsum(np.log(careless / honest)[::-1])
    at_any = np.logaddexp.reduce(since) - log(len(since))
    return float(np.logaddexp(log(FROM_FIRST) + since[-1], log(1 - FROM_FIRST) + at_any))


def of_events(happened: Sequence[bool], *, honest: float, careless: float) -> float:
    """That an event is as frequent as with careless people, against at most as with honest ones."""
    events = np.array(happened, dtype=bool)
    return of_careless(
        np.where(events, honest, 1 - honest), np.where(events, careless, 1 - careless)
    )


def of_shares(labels: Floats, honest: Floats, shares: Mapping[float, float]) -> float:
    """That the label 1 is given to some share of pairs, whatever the pair.

    `shares` maps each share that comes into question to its weight; the weights add up to 1.
    """
    ratios = [
        log(prior) + of_careless(honest, np.where(labels == 1, share, 1 - share))
        for share, prior in shares.items()
    ]
    return float(np.logaddexp.reduce(ratios))
