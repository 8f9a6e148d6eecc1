"""Whether somebody's answers look like those of a person who reads the pairs.

Each flag weighs two accounts of the same answers, that of a reader and that of somebody careless,
and is raised where the second explains them far better (annotation.stats.likelihood). What a reader
would say of a pair follows from what the others say of it (annotation.stats.crowd): a pair on which
they are split weighs little, and a long run of one label is nothing special where they gave that
label as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from math import exp, log
from statistics import median

import numpy as np

from annotation.stats import crowd
from annotation.stats.likelihood import Floats, of_events, of_shares

# A careless person says "same" of one of these shares of pairs, whatever the pair.
ANY_SHARE = {0.5: 0.6, 0.2: 0.2, 0.8: 0.2}
ONE_LABEL = {0.01: 0.5, 0.99: 0.5}
LEAST_TO_DOUBT = 3  # so many others tell that a hidden pair itself may be wrong
CARELESS = 0.5  # how often a careless person hurries, or misses a hidden pair

# Median time of careless people who hurry, beside that of others: natural logs.
HASTE, HASTE_SPREAD = log(0.25), 0.5
LEAST_TIMES, MOST_PACE = 5, 6.0


class Kind(StrEnum):
    """What a flag is about."""

    FAST = "fast"
    ONE_LABEL = "one_label"
    DISAGREES = "disagrees"
    KNOWN_WRONG = "known_wrong"


@dataclass(frozen=True, slots=True)
class Answer:
    """One judgment of a person: 1 for a paraphrase, 0 for none.

    `others` are what other people's labels of the pair say, in any order. `known` is the answer to
    a hidden pair. `seconds` is None where nothing was measured.
    """

    label: int
    seconds: float | None = None
    others: tuple[int, ...] = ()
    known: int | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """Who is honest, and how rarely an honest person may be flagged.

    For each kind of flag at most `false_flags` of honest people are ever flagged. Honest is whoever
    - answers below `floor_seconds` at most `hurried` of the time;
    - errs at most `patience` times as often as the others, `least_error` being allowed at any rate;
    - misses, of the pairs that deserve one of the labels, at most `partial`: that much may anybody
      lean to the other label;
    - misses at most `known_missed` of the hidden pairs.

    An answer is set beside those of at least `least_others` others, and nobody is flagged before
    `least_answers` of them (hidden pairs apart). How long people take differs from one honest
    person to the next by `paces` (standard deviation of the natural log).
    """

    floor_seconds: float = 2.0
    false_flags: float = 0.001
    hurried: float = 0.05
    patience: float = 1.25
    least_error: float = 0.05
    partial: float = 0.2
    known_missed: float = 0.15
    least_others: int = 2
    least_answers: int = 10
    paces: float = 0.4


@dataclass(frozen=True, slots=True)
class Flag:
    """Why a manager should look, in figures.

    `ratio` among them is the natural log of how much better carelessness explains the answers.
    """

    kind: Kind
    evidence: dict[str, float] = field(default_factory=dict)


DEFAULT = Rules()


def flags(
    answers: Sequence[Answer], rules: Rules = DEFAULT, *, usual_seconds: float | None = None
) -> list[Flag]:
    """What somebody's recent answers, oldest first, speak of: at most one flag of each kind.

    `usual_seconds` is the median time of other people. Without it, pace says nothing.
    """
    beside = _Beside.of(answers, rules)
    found = (
        _fast(answers, rules),
        _one_label(beside, rules),
        _disagrees(beside, rules, pace(answers, usual_seconds, rules)),
        _known_wrong(answers, rules),
    )
    return [flag for flag in found if flag is not None]


def pace(answers: Sequence[Answer], usual_seconds: float | None, rules: Rules = DEFAULT) -> float:
    """What the time says, before any label: log of the odds of carelessness.

    Half of careless people take their time like everybody; the others take about a quarter of it.
    It never says enough to flag somebody, and of somebody slow next to nothing.
    """
    times = [each.seconds for each in answers if each.seconds]
    if not usual_seconds or len(times) < LEAST_TIMES:
        return 0.0
    distance = min(0.0, log(median(times) / usual_seconds))  # slower than usual is all the same
    careless = -(((distance - HASTE) / HASTE_SPREAD) ** 2) / 2 - log(HASTE_SPREAD)
    honest = -((distance / rules.paces) ** 2) / 2 - log(rules.paces)
    if distance < HASTE:  # still faster is no less careless
        careless = -log(HASTE_SPREAD)
    return log(0.5 + 0.5 * exp(min(MOST_PACE, careless - honest)))


@dataclass(frozen=True, slots=True)
class _Beside:
    """Answers beside those of enough others: own labels, and belief in a paraphrase, by pair."""

    labels: Floats
    belief: Floats
    error: float

    @classmethod
    def of(cls, answers: Sequence[Answer], rules: Rules) -> "_Beside":
        used = [each for each in answers if len(each.others) >= rules.least_others]
        others = crowd.fit(each.others for each in used)
        return cls(
            np.array([each.label for each in used], dtype=float),
            np.array([others.belief(each.others) for each in used]),
            others.error,
        )

    @property
    def agreeing(self) -> int:
        return int(((self.belief > 0.5) == (self.labels == 1)).sum())

    def ratio(self, shares: dict[float, float], most_error: float) -> float:
        """Against the honest account, with errors up to this on either label, that is the best."""
        errors = {min(each, most_error) for each in (0.01, 0.03, most_error)}
        return min(
            of_shares(self.labels, self._honest(on_same, on_different), shares)
            for on_same, on_different in product(sorted(errors), repeat=2)
        )

    def _honest(self, on_same: float, on_different: float) -> Floats:
        says_same = self.belief * (1 - on_same) + (1 - self.belief) * on_different
        return np.where(self.labels == 1, says_same, 1 - says_same)


def _fast(answers: Sequence[Answer], rules: Rules) -> Flag | None:
    fast = [each.seconds < rules.floor_seconds for each in answers if each.seconds is not None]
    ratio = of_events(fast, honest=rules.hurried, careless=CARELESS)
    if len(fast) < rules.least_answers or not _is_enough(ratio, rules):
        return None
    figures = {"answers": len(fast), "fast": sum(fast), "floor_seconds": rules.floor_seconds}
    return Flag(Kind.FAST, {**figures, "ratio": ratio})


def _one_label(beside: _Beside, rules: Rules) -> Flag | None:
    ratio = beside.ratio(ONE_LABEL, rules.partial)
    answers = len(beside.labels)
    if answers < rules.least_answers or not _is_enough(ratio, rules):
        return None
    same = int(beside.labels.sum())
    most = max(same, answers - same)
    others = float(np.mean((beside.belief > 0.5) == (2 * same > answers)))
    figures = {"answers": answers, "same": same, "most": most, "of_others": others}
    return Flag(Kind.ONE_LABEL, {**figures, "ratio": ratio})


def _disagrees(beside: _Beside, rules: Rules, pace: float) -> Flag | None:
    most_error = min(crowd.MOST_ERROR, max(rules.least_error, beside.error * rules.patience))
    ratio = beside.ratio(ANY_SHARE, most_error) + pace
    answers = len(beside.labels)
    if answers < rules.least_answers or not _is_enough(ratio, rules):
        return None
    figures = {
        "answers": answers,
        "agreeing": beside.agreeing,
        "usual": 1 - beside.error,
        "pace": pace,
        "ratio": ratio,
    }
    return Flag(Kind.DISAGREES, figures)


def _known_wrong(answers: Sequence[Answer], rules: Rules) -> Flag | None:
    wrong = [each.label != each.known for each in answers if _is_fair(each)]
    ratio = of_events(wrong, honest=rules.known_missed, careless=CARELESS)
    if not _is_enough(ratio, rules):
        return None
    figures = {"answers": len(wrong), "wrong": sum(wrong), "ratio": ratio}
    return Flag(Kind.KNOWN_WRONG, figures)


def _is_fair(answer: Answer) -> bool:
    """Whether a hidden pair counts: not where most others contradict it as well."""
    against = sum(label != answer.known for label in answer.others)
    doubted = len(answer.others) >= LEAST_TO_DOUBT and 2 * against > len(answer.others)
    return answer.known is not None and not doubted


def _is_enough(ratio: float, rules: Rules) -> bool:
    return ratio >= -log(rules.false_flags)
