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

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from math import exp, log
from statistics import median

import numpy as np
from numpy.typing import NDArray

from annotation.stats.crowd import MOST_ERROR, Floats, fit_crowd, tallies_of

Labels = NDArray[np.int64]
# The probability of a habit, and the share of pairs to which it gives each outcome.
Habit = tuple[float, Floats]

# Probability that carelessness, if there is any, began with the first answer.
FROM_FIRST = 0.8


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


def ratio_of_habits(labels: Labels, honest: Floats, habits: Sequence[Habit]) -> float:
    """Return the log ratio that labels are given by one of the habits, whatever the pair."""
    ratios = [log(weight) + careless_ratio(honest, shares[labels]) for weight, shares in habits]
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

# How a careless person labels: any outcome alike, with this probability, or one more often.
ALIKE, FAVOURED, ALWAYS = 0.6, 0.8, 0.99
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
    """One judgment of a person; labels are outcomes, from 0 on: of two, 1 is a paraphrase.

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
    answers: Sequence[Answer],
    *,
    outcomes: int = 2,
    usual_seconds: float | None = None,
    floor_seconds: float = 2.0,
) -> list[Flag]:
    """Return at most one flag of each kind for a person's recent answers, oldest first.

    `outcomes` is the number of those that the study has. `usual_seconds` is the median time of
    other people. Without it, pace is ignored. Answers below `floor_seconds` are too fast to have
    been read.
    """
    compared = _Compared.with_others(answers, outcomes)
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
    """Own labels of pairs that enough others labelled, and belief in each outcome of these."""

    labels: Labels
    beliefs: Floats
    error: float

    @classmethod
    def with_others(cls, answers: Sequence[Answer], outcomes: int) -> "_Compared":
        comparable = [answer for answer in answers if len(answer.others) >= LEAST_OTHERS]
        labels_of_others = [answer.others for answer in comparable]
        crowd = fit_crowd(labels_of_others, outcomes)
        return cls(
            np.array([answer.label for answer in comparable], dtype=int),
            crowd.beliefs(tallies_of(labels_of_others, outcomes)),
            crowd.error,
        )

    @property
    def outcomes(self) -> int:
        return int(self.beliefs.shape[1])

    @property
    def likeliest(self) -> Labels:
        """The outcome of each pair in which one believes most."""
        return np.asarray(self.beliefs.argmax(axis=1))

    def ratio(self, habits: Sequence[Habit], most_error: float) -> float:
        """Compare with the best honest model that errs at most `most_error` on each outcome."""
        bounds = sorted({min(bound, most_error) for bound in (0.01, 0.03, most_error)})
        errors = {
            tuple(rare if place == outcome else usual for place in range(self.outcomes))
            for usual, rare, outcome in product(bounds, bounds, range(self.outcomes))
        }
        return min(
            ratio_of_habits(self.labels, self._honest(np.array(error)), habits)
            for error in sorted(errors)
        )

    def _honest(self, errors: Floats) -> Floats:
        """Return the probability of each label, with an error rate for each true outcome."""
        wrong = np.eye(self.outcomes) == 0
        says = np.where(wrong, (errors / (self.outcomes - 1))[:, None], (1 - errors)[:, None])
        return np.asarray((self.beliefs * says[:, self.labels].T).sum(axis=1))


def _favouring(outcomes: int, share: float) -> list[Floats]:
    """Return for each outcome the shares of a person who gives it to this share of all pairs."""
    rest = (1 - share) / (outcomes - 1)
    return [np.where(np.arange(outcomes) == outcome, share, rest) for outcome in range(outcomes)]


def _any_habits(outcomes: int) -> list[Habit]:
    alike: Habit = (ALIKE, np.full(outcomes, 1 / outcomes))
    favoured = _favouring(outcomes, FAVOURED)
    return [alike, *(((1 - ALIKE) / outcomes, shares) for shares in favoured)]


def _one_label_habits(outcomes: int) -> list[Habit]:
    return [(1 / outcomes, shares) for shares in _favouring(outcomes, ALWAYS)]


def _flag_haste(answers: Sequence[Answer], floor_seconds: float) -> Flag | None:
    fast = [answer.seconds < floor_seconds for answer in answers if answer.seconds is not None]
    ratio = ratio_of_events(fast, honest=HURRIED, careless=CARELESS)
    if len(fast) < LEAST_ANSWERS or not _is_enough(ratio):
        return None
    figures = {"answers": len(fast), "fast": sum(fast), "floor_seconds": floor_seconds}
    return Flag(Kind.FAST, {**figures, "ratio": ratio})


def _flag_one_label(compared: _Compared) -> Flag | None:
    ratio = compared.ratio(_one_label_habits(compared.outcomes), PARTIAL)
    answers = len(compared.labels)
    if answers < LEAST_ANSWERS or not _is_enough(ratio):
        return None
    counts = np.bincount(compared.labels, minlength=compared.outcomes)
    label = int(counts.argmax())
    others = float(np.mean(compared.likeliest == label))
    figures = {"answers": answers, "label": label, "most": int(counts[label]), "of_others": others}
    return Flag(Kind.ONE_LABEL, {**figures, "ratio": ratio})


def _flag_disagreement(compared: _Compared, pace: float) -> Flag | None:
    most_error = min(MOST_ERROR, max(LEAST_ERROR, compared.error * PATIENCE))
    ratio = compared.ratio(_any_habits(compared.outcomes), most_error) + pace
    answers = len(compared.labels)
    if answers < LEAST_ANSWERS or not _is_enough(ratio):
        return None
    figures = {
        "answers": answers,
        "agreeing": int((compared.likeliest == compared.labels).sum()),
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
