"""What a study will give and cost: one simulation of its pairs before anybody is asked.

All labels are equally frequent. On a share of the pairs, the hard ones, people err more often;
people of one pair err independently of one another. A wrong label is each of the other labels with
the same probability; where labels are ordered, each further step halves it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from annotation.stats.agreement import Estimate, headline_alpha
from annotation.stats.consensus import (
    MOST_JUDGMENTS,
    Decision,
    Protocol,
    decide_tally,
    problem_of_more,
)
from annotation.stats.labels import Scheme
from common.marked import MarkedError
from common.marked import gettext_noop as _

# Assumptions for a study without its own answers, or those of a similar one.
ERROR, HARD_SHARE, HARD_ERROR = 0.08, 0.15, 0.35
SECONDS = 8.0
SIMULATED_PAIRS = 20_000
MOST_ANSWERS = 15  # per pair
SEED = 2019  # the same study always gets the same plan
# Further protocols to compare: votes or people added.
FURTHER_VOTES, FURTHER_PEOPLE = (-1, 1), (-2, 2)
FURTHER_PEOPLE_WITHOUT_VOTES = (-2, -1, 1, 2)
FURTHER_JUDGMENTS = 2  # where too few agree

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class BadPlan(MarkedError):
    """Numbers that no study can have."""


@dataclass(frozen=True, slots=True)
class Study:
    """The numbers to plan with: shares are from 0 to 1, `limit` is of answers per person.

    If it `is_corrected`, one person corrects each pair and does not judge it.

    Raises BadPlan.
    """

    pairs: int
    people: int
    protocol: Protocol
    error: float = ERROR
    hard_share: float = HARD_SHARE
    hard_error: float = HARD_ERROR
    seconds: float = SECONDS
    pay_per_hour: float | None = None
    limit: int | None = None
    is_corrected: bool = False

    def __post_init__(self) -> None:
        answers = self.protocol.most_judgments
        if not (self.seconds > 0 and (self.pay_per_hour is None or self.pay_per_hour > 0)):
            raise BadPlan(_("Seconds and pay are greater than 0."))
        if answers > MOST_ANSWERS:
            raise BadPlan(_("Plan at most %(most)s answers per pair."), most=MOST_ANSWERS)
        if self.people < answers and self.people == 1:
            raise BadPlan(_("One person cannot give %(answers)s answers."), answers=answers)
        if self.people < answers:
            message = _("%(people)s people cannot give %(answers)s answers.")
            raise BadPlan(message, people=self.people, answers=answers)
        if self.people < self.fewest_people:
            message = _(
                "One of %(people)s people corrects a pair and cannot judge it: %(answers)s "
                "answers need one more person."
            )
            raise BadPlan(message, people=self.people, answers=answers)

    @property
    def fewest_people(self) -> int:
        """The number of people that one pair needs."""
        return self.protocol.most_judgments + self.is_corrected


def with_numbers(
    protocol: Protocol,
    judgments: int | None = None,
    votes: int | None = None,
    decides_early: bool | None = None,
    at_most: int | None = None,
) -> Protocol:
    """Return a protocol with other numbers; None leaves one as it is. Raises BadPlan."""
    judgments = judgments or protocol.judgments_per_pair
    votes = votes or protocol.consensus_min_votes
    is_early = protocol.decides_early if decides_early is None else decides_early
    if votes > judgments:
        message = _("Only %(people)s people judge each pair, so %(votes)s votes are impossible.")
        raise BadPlan(message, people=judgments, votes=votes)
    if not protocol.scheme.decides and (votes > 1 or is_early):
        raise BadPlan(_("With these labels every pair is kept: leave out votes and early ends."))
    at_most = at_most or protocol.judgments_at_most
    if problem := problem_of_more(
        judgments, votes, at_most, protocol.scheme, decides_early=is_early
    ):
        raise BadPlan(problem)
    return Protocol(judgments, votes, protocol.scheme, is_early, at_most)


@dataclass(frozen=True, slots=True)
class Quality:
    """What becomes of the pairs of a study.

    `kept` is a share of all pairs and `right` a share of the kept ones, None where votes do not
    decide or no pair is kept; `answers` is the mean number of answers to a pair.
    """

    kept: float
    right: float | None
    answers: float


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another protocol for as many answers."""

    pairs: int
    protocol: Protocol
    quality: Quality

    @property
    def kept_pairs(self) -> int:
        return round(self.pairs * self.quality.kept)


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study gives and costs. `alpha` is Krippendorff's, for the level of the scheme."""

    study: Study
    quality: Quality
    alpha: Estimate
    alternatives: tuple[Alternative, ...]

    @property
    def as_planned(self) -> Alternative:
        return Alternative(self.study.pairs, self.study.protocol, self.quality)

    @property
    def answers(self) -> int:
        return round(self.study.pairs * self.quality.answers)

    @property
    def answers_per_person(self) -> float:
        return self.answers / self.study.people

    @property
    def least_people(self) -> int:
        """The number of people that the answers need: for each pair, and within the limit."""
        within_limit = ceil(self.answers / self.study.limit) if self.study.limit else 0
        return max(self.study.fewest_people, within_limit)

    @property
    def hours(self) -> float:
        return self.answers * self.study.seconds / 3600

    @property
    def cost(self) -> float | None:
        pay = self.study.pay_per_hour
        return None if pay is None else self.hours * pay


def plan(study: Study, *, seed: int = SEED) -> Plan:
    """Simulate a study.

    Shares are those of SIMULATED_PAIRS pairs. Alpha is that of as many pairs as the study has, but
    of no more than these: its interval is then narrow enough.
    """
    truth, tallies, first = _simulate(study, seed)
    kinds, _kind_of, numbers = _kinds(first[: study.pairs])
    votes = dict(zip(map(tuple, kinds.tolist()), numbers.tolist(), strict=True))
    alpha = headline_alpha(votes, study.protocol.scheme)
    quality = _quality(truth, tallies, study.protocol)
    answers = study.pairs * quality.answers
    return Plan(study, quality, alpha, tuple(_alternatives(study, answers, seed)))


def _quality(truth: Integers, tallies: Integers, protocol: Protocol) -> Quality:
    scheme = protocol.scheme
    decisions, kind_of = _decide(tallies, protocol)
    kept = np.array([decision.kept for decision in decisions])[kind_of]
    right = None
    if scheme.decides and kept.any():
        labels = [-1 if decision.label is None else decision.label for decision in decisions]
        outcomes = np.array([scheme.outcome(place) for place in range(scheme.size)])
        is_right = np.array(labels)[kind_of] == outcomes[truth]
        right = float(is_right[kept].mean())
    return Quality(float(kept.mean()), right, float(tallies.sum() / len(tallies)))


def _alternatives(study: Study, answers: float, seed: int) -> Iterator[Alternative]:
    """Yield other protocols, each with the number of pairs that as many answers are enough for."""
    for protocol in _further_protocols(study.protocol):
        if study.people < protocol.most_judgments + study.is_corrected:
            continue
        truth, tallies, _first = _simulate(replace(study, protocol=protocol), seed)
        quality = _quality(truth, tallies, protocol)
        yield Alternative(round(answers / quality.answers), protocol, quality)


def _further_protocols(protocol: Protocol) -> Iterator[Protocol]:
    """Yield protocols with other numbers, and at last one that asks more people or no more."""
    for numbers in _further_numbers(protocol):
        people, votes, at_most = numbers
        if not problem_of_more(
            people, votes, at_most, protocol.scheme, decides_early=protocol.decides_early
        ):
            yield Protocol(people, votes, protocol.scheme, protocol.decides_early, at_most)


def _further_numbers(protocol: Protocol) -> Iterator[tuple[int, int, int | None]]:
    """Yield the judgments and votes of other protocols, and their most judgments."""
    at_most = protocol.judgments_at_most
    people, votes = protocol.judgments_per_pair, protocol.consensus_min_votes
    has_votes = protocol.scheme.decides
    for more in FURTHER_VOTES if has_votes else ():
        if 1 <= votes + more <= people:
            yield people, votes + more, at_most
    for more in FURTHER_PEOPLE if has_votes else FURTHER_PEOPLE_WITHOUT_VOTES:
        others = people + more
        if 1 <= others <= MOST_ANSWERS:
            least = ceil(votes * others / people) if has_votes else 1
            yield others, least, at_most and max(at_most, others)
    if has_votes:
        yield people, votes, None if at_most else min(people + FURTHER_JUDGMENTS, MOST_JUDGMENTS)


def _simulate(study: Study, seed: int) -> tuple[Integers, Integers, Integers]:
    """Return the true labels, shape (pairs,), and the answers by label, shape (pairs, labels).

    The last are the answers on which agreement is measured: without those of people who are asked
    because the first disagree.
    """
    random, protocol, pairs = np.random.default_rng(seed), study.protocol, SIMULATED_PAIRS
    truth = random.integers(protocol.scheme.size, size=pairs)
    is_hard = random.random(pairs) < study.hard_share
    error = np.where(is_hard, study.hard_error, study.error)
    chances = error[:, None] * mistakes(protocol.scheme)[truth]
    chances[np.arange(pairs), truth] = 1 - error
    first = protocol.enough_votes if protocol.decides_early else protocol.judgments_per_pair
    tallies = random.multinomial(first, chances)
    first_tallies, waiting = tallies.copy(), np.arange(pairs)
    while len(waiting):
        decisions, kind_of = _decide(tallies[waiting], protocol)
        is_decided = np.array([decision.decided for decision in decisions])[kind_of]
        waiting = waiting[~is_decided]
        tallies[waiting] += random.multinomial(1, chances[waiting])
    return truth, tallies, first_tallies if protocol.asks_more else tallies


def mistakes(scheme: Scheme) -> Floats:
    """Return the share of each label among wrong answers, shape (true label, label)."""
    places = np.arange(scheme.size)
    shares = 0.5 ** (abs(places[:, None] - places) * scheme.is_ordered)
    np.fill_diagonal(shares, 0)
    wrong: Floats = shares / shares.sum(axis=1, keepdims=True)
    return wrong


def _decide(tallies: Integers, protocol: Protocol) -> tuple[list[Decision], Integers]:
    """Return the decision of each different tally, and which of them each pair has."""
    kinds, kind_of, _numbers = _kinds(tallies)
    return [decide_tally(kind, protocol) for kind in kinds.tolist()], kind_of


def _kinds(tallies: Integers) -> tuple[Integers, Integers, Integers]:
    """Return the different tallies, which of them each pair has, and the number of pairs."""
    # One number for each tally; it fits 64 bits with MOST_ANSWERS and the most labels.
    codes = tallies @ (MOST_ANSWERS + 1) ** np.arange(tallies.shape[1])
    _codes, first, kind_of, numbers = np.unique(
        codes, return_index=True, return_inverse=True, return_counts=True
    )
    return tallies[first], kind_of, numbers
