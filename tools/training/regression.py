"""Logistic regressions with a ridge penalty, by Newton's method, and how well they do."""

import math

import numpy as np
from numpy.typing import NDArray

PENALTY = 3.0  # on the squared weights of features with standard deviation one
FOLDS = 10
STEPS = 12
Values = NDArray[np.float64]


def fit(
    features: Values,
    accepted: Values,
    penalty: float = PENALTY,
    offsets: Values | float = 0.0,
) -> tuple[float, list[float]]:
    """Return the constant and the weights that are added to the offsets of the logits."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    inputs = np.c_[np.ones(len(features)), (features - mean) / spread]
    ridge = np.diag([1e-6, *[penalty] * features.shape[1]])
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        guesses = logistic(offsets + inputs @ weights)
        gradient = inputs.T @ (accepted - guesses) - ridge @ weights
        hessian = (inputs.T * (guesses * (1 - guesses))) @ inputs + ridge
        step = np.linalg.solve(hessian, gradient)
        best = _penalised_loss(inputs, accepted, ridge, weights, offsets)
        while _penalised_loss(inputs, accepted, ridge, weights + step, offsets) > best + 1e-6:
            step /= 2
        weights += step
    unscaled_weights = weights[1:] / spread
    return float(weights[0] - unscaled_weights @ mean), unscaled_weights.tolist()


def _penalised_loss(
    inputs: Values, accepted: Values, ridge: Values, weights: Values, offsets: Values | float
) -> float:
    logits = offsets + inputs @ weights
    losses = np.logaddexp(0.0, logits) - accepted * logits
    return float(losses.sum() + weights @ ridge @ weights / 2)


def cross_validate(
    features: Values,
    accepted: Values,
    penalty: float = PENALTY,
    offsets: Values | float = 0.0,
) -> Values:
    """Return the probability of each candidate by a model that was fitted without its fold."""
    folds = np.random.default_rng(0).permutation(len(accepted)) % FOLDS
    guesses = np.zeros(len(accepted))
    offset_of_row = np.broadcast_to(offsets, accepted.shape)
    for fold in range(FOLDS):
        inside = folds == fold
        constant, weights = fit(
            features[~inside], accepted[~inside], penalty, offset_of_row[~inside]
        )
        logits = offset_of_row[inside] + constant + features[inside] @ np.array(weights)
        guesses[inside] = logistic(logits)
    return guesses


def logistic(values: Values) -> Values:
    result: Values = 1.0 / (1.0 + np.exp(-values))
    return result


def area(scores: Values, accepted: Values) -> float:
    """Return how often an accepted candidate scores above another one, ties counted half."""
    rejected, mine = np.sort(scores[accepted == 0]), scores[accepted == 1]
    sides = [np.searchsorted(rejected, mine, side=side) for side in ("left", "right")]
    return float(np.mean(sides) / len(rejected))


def quality(guesses: Values, accepted: Values) -> str:
    right = np.where(accepted == 1, guesses, 1 - guesses)
    return (
        f"area under the curve {area(guesses, accepted):.3f}, log loss {-np.log(right).mean():.3f}"
    )


def print_calibration(guesses: Values, accepted: Values, title: str = "accepted") -> None:
    for low in (0.0, 0.2, 0.4, 0.6, 0.7, 0.8):
        high = low + (0.1 if low >= 0.6 else 0.2) if low < 0.8 else 1.0
        inside = (guesses >= low) & (guesses < high)
        if inside.any():
            print(
                f"  {low:.1f}-{high:.1f}: {inside.sum()} candidates,"
                f" predicted {guesses[inside].mean():.1%}, {title} {accepted[inside].mean():.1%}"
            )


def round_weights(values: dict[str, float]) -> dict[str, float]:
    return {name: significant(value) for name, value in values.items()}


def significant(value: float) -> float:
    """Return a number with four significant digits."""
    return round(value, 3 - math.floor(math.log10(abs(value)))) if value else 0.0
