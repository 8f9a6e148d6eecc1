"""Baselines without networks: never, and overlap of words and order. `bow` is the third."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annotation.stats.overlap import jaccard
from evaluation.contract import Scores, Tell, check_learnable, silent
from evaluation.data import Pairs
from evaluation.vectors import words
from generation.nlp import measures

# Newton's method converges in about ten steps; the penalty bounds weights of separable pairs.
STEPS, PENALTY = 25, 1.0


@dataclass(frozen=True)
class Never:
    """Gives each pair the share of paraphrases in train: always the label of its majority.

    Named for what it says of PAWS-Wiki, where the majority is no paraphrase.
    """

    identity = {"name": "never"}

    def fit(self, train: Pairs, dev: Pairs, *, seed: int, tell: Tell = silent) -> "Constant":
        check_learnable(train, dev)
        tell(1, 1)
        return Constant(float(train.labels.mean()))


@dataclass(frozen=True)
class Constant:
    score: float
    parameters: int = 1

    def scores(self, pairs: Pairs) -> Scores:
        return np.full(len(pairs), self.score)


@dataclass(frozen=True)
class Overlap:
    """Logistic regression, fitted to train, on Jaccard, cosine of word counts and order ratio.

    The regression puts the threshold, 0.5, where both labels are equally likely in train. The order
    ratio is the share of aligned words in the same order: 1 - `measures.inversion_rate`.
    """

    identity = {"name": "overlap", "penalty": str(PENALTY)}

    def fit(self, train: Pairs, dev: Pairs, *, seed: int, tell: Tell = silent) -> "FittedOverlap":
        check_learnable(train, dev)
        rows = _overlaps(train)
        center, spread = rows.mean(axis=0), rows.std(axis=0)
        # Where all pairs are equal, such as the Jaccard of word swaps, nothing is learned.
        spread[spread < measures.ROUNDING] = np.inf
        weights = _regression((rows - center) / spread, train.labels)
        tell(1, 1)
        return FittedOverlap(center, spread, weights)


@dataclass(frozen=True, eq=False)
class FittedOverlap:
    """Weights of the standardised measures; the first is the intercept."""

    center: NDArray[np.float64]
    spread: NDArray[np.float64]
    weights: NDArray[np.float64]

    @property
    def parameters(self) -> int:
        return len(self.weights)

    def scores(self, pairs: Pairs) -> Scores:
        rows = (_overlaps(pairs) - self.center) / self.spread
        return _chances(_add_intercept(rows), self.weights)


def _overlaps(pairs: Pairs) -> NDArray[np.float64]:
    rows = [_overlap(*texts) for texts in pairs.texts]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _overlap(one: str, other: str) -> tuple[float, float, float]:
    cosine, inversions = measures.likeness(one, other)
    return jaccard(frozenset(words(one)), frozenset(words(other))), cosine, 1 - inversions


def _regression(features: NDArray[np.float64], labels: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return the weights of the penalised logistic regression, by Newton's method."""
    inputs = _add_intercept(features)
    # ROUNDING on the diagonal keeps the system solvable; the intercept has no other penalty.
    penalty = np.diag([0.0, *[PENALTY] * features.shape[1]]) + measures.ROUNDING * np.eye(4)
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        probabilities = _chances(inputs, weights)
        gradient = inputs.T @ (probabilities - labels) + penalty @ weights
        hessian = (inputs.T * (probabilities * (1 - probabilities))) @ inputs + penalty
        weights = weights - np.linalg.solve(hessian, gradient)
    return weights


def _add_intercept(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.column_stack([np.ones(len(rows)), rows])


def _chances(inputs: NDArray[np.float64], weights: NDArray[np.float64]) -> Scores:
    chances: Scores = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
    return chances
