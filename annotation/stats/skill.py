"""A model of annotators: which outcome of a pair is likely, if some people err more than others.

Dawid and Skene, "Maximum Likelihood Estimation of Observer Error-Rates Using the EM Algorithm",
Applied Statistics 28 (1979), pages 20 to 28. Each person has a confusion matrix, and each pair a
latent true outcome. The same answers in the same order give the same result.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Pair = TypeVar("Pair")

MOST_ROUNDS = 100
# The rounds end when no probability changes by more than this.
CONVERGED = 1e-8
# Pseudo-answers of each person for each true outcome: one with each answer, and more right ones.
PSEUDO_ANSWERS, MORE_RIGHT = 1.0, 2.0
# Outcomes whose probabilities are equal to this number of decimals: the lower one is the label.
DECIMALS = 6
# A probability never gets lower, so that its logarithm exists.
LEAST = 1e-10


@dataclass(frozen=True, slots=True)
class Skill:
    """What the model says.

    Attributes:
        beliefs: the probability of each outcome of each pair, shape (pairs, outcomes).
        shares: of pairs with each true outcome.
        confusions: the probability of each answer of a person to pairs of each true outcome, shape
            (people, outcomes, answers).
        rounds: how many rounds the estimation took.
    """

    beliefs: Floats
    shares: Floats
    confusions: Floats
    rounds: int

    @property
    def labels(self) -> Ints:
        """The most likely outcome of each pair."""
        labels: Ints = self.beliefs.round(DECIMALS).argmax(axis=1)
        return labels

    @property
    def certainties(self) -> Floats:
        """The probability of the most likely outcome of each pair."""
        certainties: Floats = self.beliefs.max(axis=1).round(DECIMALS)
        return certainties


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers in the order of their pairs: places of the pair, of the person, of the outcome."""

    pairs: Ints
    people: Ints
    outcomes: Ints

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[object, object, int]]) -> "Answers":
        """Return answers from rows of pair, person, outcome, in which pairs are together.

        Pairs and people are numbered as they first appear.
        """
        pair_places: dict[object, int] = {}
        people_places: dict[object, int] = {}
        places = [
            (
                pair_places.setdefault(pair, len(pair_places)),
                people_places.setdefault(person, len(people_places)),
                outcome,
            )
            for pair, person, outcome in rows
        ]
        columns = np.array(places, dtype=np.int64).reshape(-1, 3).T
        return cls(*columns)


def likeliest(
    rows: Iterable[tuple[Pair, object, int]], outcomes: int
) -> dict[Pair, tuple[int, float]]:
    """Return the most likely outcome of each pair, and its probability, by the fitted model.

    `rows` are as for `Answers.from_rows`; without any, nothing is likely.
    """
    rows = list(rows)
    if not rows:
        return {}
    skill = fit_skill(Answers.from_rows(rows), outcomes)
    pairs = dict.fromkeys(pair for pair, _person, _outcome in rows)
    labels = zip(skill.labels.tolist(), skill.certainties.tolist(), strict=True)
    return dict(zip(pairs, labels, strict=True))


def fit_skill(
    answers: Answers,
    outcomes: int,
    *,
    pseudo_answers: float = PSEUDO_ANSWERS,
    more_right: float = MORE_RIGHT,
) -> Skill:
    """Estimate the model by expectation maximization, beginning with the shares of votes.

    `answers` are not empty.
    """
    prior = pseudo_answers + more_right * np.eye(outcomes)
    cells = (int(answers.pairs[-1]) + 1) * outcomes
    votes = np.bincount(answers.pairs * outcomes + answers.outcomes, minlength=cells)
    votes = votes.reshape(-1, outcomes)
    beliefs: Floats = votes / votes.sum(axis=1, keepdims=True)
    rounds = 0
    while True:
        shares: Floats = beliefs.mean(axis=0)
        confusions = _confusions(answers, beliefs, prior)
        likely = _beliefs(answers, shares, confusions)
        change, beliefs, rounds = np.abs(likely - beliefs).max(), likely, rounds + 1
        if change <= CONVERGED or rounds == MOST_ROUNDS:
            return Skill(beliefs, shares, confusions, rounds)


def _confusions(answers: Answers, beliefs: Floats, prior: Floats) -> Floats:
    """Return how people answer, from what the pairs are believed to be."""
    people, outcomes = int(answers.people.max()) + 1, beliefs.shape[1]
    of_person = answers.people * outcomes + answers.outcomes
    counts = [
        np.bincount(of_person, belief[answers.pairs], minlength=people * outcomes)
        for belief in beliefs.T
    ]
    by_person = np.stack(counts).reshape(outcomes, people, outcomes).swapaxes(0, 1)
    confusions = np.maximum(by_person + prior, LEAST)
    normed: Floats = confusions / confusions.sum(axis=2, keepdims=True)
    return normed


def _beliefs(answers: Answers, shares: Floats, confusions: Floats) -> Floats:
    """Return what the pairs are likely to be, from how people answer."""
    outcomes = len(shares)
    # Of each person and answer: the logarithm of its probability by true outcome.
    evidence = np.log(confusions).swapaxes(1, 2).reshape(-1, outcomes)
    of_answers = evidence[answers.people * outcomes + answers.outcomes]
    starts = np.flatnonzero(np.diff(answers.pairs, prepend=-1))
    logs = np.add.reduceat(of_answers, starts) + np.log(np.maximum(shares, LEAST))
    likely = np.exp(logs - logs.max(axis=1, keepdims=True))
    normed: Floats = likely / likely.sum(axis=1, keepdims=True)
    return normed
