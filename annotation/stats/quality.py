"""Flags for answers that do not look like those of a person who reads the pairs.

Each flag compares two explanations of the same answers, reading and carelessness, and is raised if
carelessness explains them far better. The expected answer of a reader follows from the labels of
others: a pair on which they are split weighs little, and a long run of one label is normal if they
gave that label too.

The comparison is a likelihood ratio. That of an honest annotator exceeds 1/a with probability at
most a, however often it is checked and whenever checking stops (Ville 1939; the sequential test is
Wald's, "Sequential Tests of Statistical Hypotheses", 1945). So answers can be reviewed one by one
without raising the error rate; repeated significance tests would accuse everyone in the end. All
ratios are natural logs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from math import exp, log
from statistics import median

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
    tallies = Counter((sum(labels_of_pair), len(labels_of_pair)) for labels_of_pair in labels)
    votes_for, labelled = np.array(list(tallies), dtype=float).reshape(-1, 2).T
    pairs = np.array(list(tallies.values()), dtype=float)
    lead = np.clip(2 * votes_for - labelled, -MOST_LEAD, MOST_LEAD)
    paraphrases, error = 0.5, USUAL_ERROR
    for _ in range(ROUNDS):
        odds = paraphrases / (1 - paraphrases) * ((1 - error) / error) ** lead
        belief = odds / (1 + odds)
        paraphrases = float((pairs @ belief + 1) / (pairs.sum() + 2))
        wrong = pairs @ (belief * (labelled - votes_for) + (1 - belief) * votes_for)
        total = pairs @ labelled + USUAL_LABELS
        error = min(MOST_ERROR, float((wrong + USUAL_ERROR * USUAL_LABELS) / total))
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


def ratio_of_events(occurrences: Sequence[bool], *, honest: float, careless: float) -> float:
    """Return the log ratio that events have the careless rate against at most the honest one."""
    events = np.array(occurrences, dtype=bool)
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


# The share of honest people who are ever flagged, at most, for each kind of flag.
FALSE_FLAGS = 0.001
LEAST_OTHERS = 2  # an answer is compared only if this number of others labelled its pair
LEAST_ANSWERS = 10  # for a flag, except for gold pairs

# The most that an honest person does: answers below the floor; errors, as a multiple of those of
# the others or as a rate; missed pairs that deserve one of the labels, which permits some bias to
# the other; missed gold pairs.
HURRIED = 0.05
PATIENCE, LEAST_ERROR = 1.25, 0.05
PARTIAL = 0.2
GOLD_MISSED = 0.15
PACES = 0.4  # standard deviation of honest people's pace, natural log

# Shares of pairs that a careless person labels "same", with the weight of each.
ANY_SHARE = {0.5: 0.6, 0.2: 0.2, 0.8: 0.2}
ONE_LABEL = {0.01: 0.5, 0.99: 0.5}
LEAST_TO_DOUBT = 3  # this many others can contradict a gold pair
CARELESS = 0.5  # how often a careless person hurries, or misses a gold pair

# Median time of careless people who hurry, relative to others: natural logs.
HASTE, HASTE_SPREAD = log(0.25), 0.5
LEAST_TIMES, MOST_PACE = 5, 6.0


class Kind(StrEnum):
    """The reason for a flag."""

    FAST = "fast"
    ONE_LABEL = "one_label"
    DISAGREES = "disagrees"
    KNOWN_WRONG = "gold_wrong"


@dataclass(frozen=True, slots=True)
class Answer:
    """One judgment of a person: 1 for a paraphrase, 0 for none.

    `others` are other people's labels of the pair, in any order. `known` is the correct answer of a
    gold pair. `seconds` is None if no time was measured.
    """

    label: int
    seconds: float | None = None
    others: tuple[int, ...] = ()
    known: int | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """The kind and the figures of a flag, for a manager to review.

    `evidence["ratio"]` is the natural log of how much better carelessness explains the answers.
    """

    kind: Kind
    evidence: dict[str, float] = field(default_factory=dict)


def flags(
    answers: Sequence[Answer], *, usual_seconds: float | None = None, floor_seconds: float = 2.0
) -> list[Flag]:
    """Return at most one flag of each kind for a person's recent answers, oldest first.

    `usual_seconds` is the median time of other people. Without it, pace is ignored. Answers below
    `floor_seconds` are too fast to have been read.
    """
    compared = _Compared.with_others(answers)
    candidates = (
        _flag_haste(answers, floor_seconds),
        _flag_one_label(compared),
        _flag_disagreement(compared, pace(answers, usual_seconds)),
        _flag_gold(answers),
    )
    return [flag for flag in candidates if flag is not None]


def pace(answers: Sequence[Answer], usual_seconds: float | None) -> float:
    """Return the log odds of carelessness from answering times alone.

    Half of careless people take the usual time, the others about a quarter of it. Pace alone is
    never enough for a flag, and slow answers add next to no evidence.
    """
    times = [answer.seconds for answer in answers if answer.seconds]
    if not usual_seconds or len(times) < LEAST_TIMES:
        return 0.0
    distance = min(0.0, log(median(times) / usual_seconds))  # slower than usual counts as usual
    careless = -(((distance - HASTE) / HASTE_SPREAD) ** 2) / 2 - log(HASTE_SPREAD)
    honest = -((distance / PACES) ** 2) / 2 - log(PACES)
    if distance < HASTE:  # even faster is not less careless
        careless = -log(HASTE_SPREAD)
    return log(0.5 + 0.5 * exp(min(MOST_PACE, careless - honest)))


@dataclass(frozen=True, slots=True)
class _Compared:
    """Own labels, and belief in a paraphrase, of pairs that enough others labelled."""

    labels: Floats
    belief: Floats
    error: float

    @classmethod
    def with_others(cls, answers: Sequence[Answer]) -> "_Compared":
        comparable = [answer for answer in answers if len(answer.others) >= LEAST_OTHERS]
        others = fit_crowd(answer.others for answer in comparable)
        return cls(
            np.array([answer.label for answer in comparable], dtype=float),
            np.array([others.belief(answer.others) for answer in comparable]),
            others.error,
        )

    @property
    def agreeing(self) -> int:
        return int(((self.belief > 0.5) == (self.labels == 1)).sum())

    def ratio(self, shares: dict[float, float], most_error: float) -> float:
        """Compare with the best honest model that errs at most `most_error` on each label."""
        errors = {min(bound, most_error) for bound in (0.01, 0.03, most_error)}
        return min(
            ratio_of_shares(self.labels, self._honest(on_same, on_different), shares)
            for on_same, on_different in product(sorted(errors), repeat=2)
        )

    def _honest(self, on_same: float, on_different: float) -> Floats:
        says_same = self.belief * (1 - on_same) + (1 - self.belief) * on_different
        return np.where(self.labels == 1, says_same, 1 - says_same)


def _flag_haste(answers: Sequence[Answer], floor_seconds: float) -> Flag | None:
    fast = [answer.seconds < floor_seconds for answer in answers if answer.seconds is not None]
    ratio = ratio_of_events(fast, honest=HURRIED, careless=CARELESS)
    if len(fast) < LEAST_ANSWERS or not _is_enough(ratio):
        return None
    figures = {"answers": len(fast), "fast": sum(fast), "floor_seconds": floor_seconds}
    return Flag(Kind.FAST, {**figures, "ratio": ratio})


def _flag_one_label(compared: _Compared) -> Flag | None:
    ratio = compared.ratio(ONE_LABEL, PARTIAL)
    answers = len(compared.labels)
    if answers < LEAST_ANSWERS or not _is_enough(ratio):
        return None
    same = int(compared.labels.sum())
    most = max(same, answers - same)
    others = float(np.mean((compared.belief > 0.5) == (2 * same > answers)))
    figures = {"answers": answers, "same": same, "most": most, "of_others": others}
    return Flag(Kind.ONE_LABEL, {**figures, "ratio": ratio})


def _flag_disagreement(compared: _Compared, pace: float) -> Flag | None:
    most_error = min(MOST_ERROR, max(LEAST_ERROR, compared.error * PATIENCE))
    ratio = compared.ratio(ANY_SHARE, most_error) + pace
    answers = len(compared.labels)
    if answers < LEAST_ANSWERS or not _is_enough(ratio):
        return None
    figures = {
        "answers": answers,
        "agreeing": compared.agreeing,
        "usual": 1 - compared.error,
        "pace": pace,
        "ratio": ratio,
    }
    return Flag(Kind.DISAGREES, figures)


def _flag_gold(answers: Sequence[Answer]) -> Flag | None:
    wrong = [answer.label != answer.known for answer in answers if _is_fair(answer)]
    ratio = ratio_of_events(wrong, honest=GOLD_MISSED, careless=CARELESS)
    if not _is_enough(ratio):
        return None
    figures = {"answers": len(wrong), "wrong": sum(wrong), "ratio": ratio}
    return Flag(Kind.KNOWN_WRONG, figures)


def _is_fair(answer: Answer) -> bool:
    """Return whether a gold pair counts: not if most others contradict its answer as well."""
    against = sum(label != answer.known for label in answer.others)
    doubted = len(answer.others) >= LEAST_TO_DOUBT and 2 * against > len(answer.others)
    return answer.known is not None and not doubted


def _is_enough(ratio: float) -> bool:
    return ratio >= -log(FALSE_FLAGS)
