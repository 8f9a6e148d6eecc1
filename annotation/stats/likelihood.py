"""Likelihood ratios of careless against honest answering, valid after every answer.

An honest annotator's ratio exceeds 1/a with probability at most a, however often it is checked and
whenever checking stops (Ville 1939; the sequential test is Wald's, "Sequential Tests of Statistical
Hypotheses", 1945). So answers can be reviewed one by one without raising the error rate; repeated
significance tests would accuse everyone in the end. All ratios are natural logs.
"""

from collections.abc import Mapping, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Probability that carelessness, if there is any, began with the first answer.
FROM_FIRST = 0.8


def of_careless(honest: Floats, careless: Floats) -> float:
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


def of_events(happened: Sequence[bool], *, honest: float, careless: float) -> float:
    """Return the log ratio that events have the careless rate against at most the honest one."""
    events = np.array(happened, dtype=bool)
    return of_careless(
        np.where(events, honest, 1 - honest), np.where(events, careless, 1 - careless)
    )


def of_shares(labels: Floats, honest: Floats, shares: Mapping[float, float]) -> float:
    """Return the log ratio that label 1 is given to some share of pairs, whatever the pair.

    `shares` maps each candidate share to its weight; the weights add up to 1.
    """
    ratios = [
        log(prior) + of_careless(honest, np.where(labels == 1, share, 1 - share))
        for share, prior in shares.items()
    ]
    return float(np.logaddexp.reduce(ratios))
