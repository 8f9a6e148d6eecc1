"""Fit the probability that a candidate is accepted: `... training.acceptance READINGS OUT_FILE`.

READINGS is a table of candidates that were read, with the features of each
(docs/researcher/word_swap_readings.tsv). A logistic regression with a ridge penalty is fitted on
the candidates of the sets FITTED; the second language model's part on those that it scored. Prints
how well both do, also on the set TEST, which had no part in the fit and in the limits, and the
marks of the sets ONLY_READ, and how many accepted candidates are paraphrases.
"""

import argparse
import csv
import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from generation.nlp.acceptance import LEAST_JUDGED, MOST_JUDGED, Acceptance
from generation.nlp.settings import QUESTION_ALLOWANCE

PENALTY = 3.0  # on the squared weights of features with standard deviation one
FOLDS = 10
STEPS = 12
LIMITS = (0.65, 0.55, 0.67)  # of the presets default and more, and with a second model
FITTED, TEST = ("fit", "fit again"), "test"
MOVES = "adverbials"  # in the column "rules"
# Sets that are only read: candidates as a run gives them, and moves that the rules leave out.
ONLY_READ = {
    "not used": "moves that the rules leave out",
    "default": "the preset default",
    "paper": "the preset paper",
    "second model": "0.7 or more by the second model",
}
NOT_FEATURES = 12  # columns before the features
Values = NDArray[np.float64]


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.training.acceptance", description=__doc__)
    parser.add_argument("readings", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    with options.readings.open(encoding="utf-8", newline="") as lines:
        table = list(csv.DictReader(lines, delimiter="\t"))
    rows = [row for row in table if row["set"] in FITTED]
    names = list(rows[0])[NOT_FEATURES:]
    # Readers of the first set were more lenient; the probability is that of the others.
    is_first = np.array([[row["set"] == FITTED[0]] for row in rows], np.float64)
    values = np.array([[float(row[name] or 0) for name in names] for row in rows])
    features = np.c_[values, is_first]
    accepted = np.array([row["mark"] == "accept" for row in rows], np.float64)
    guesses = cross_validate(features, accepted)
    print(f"{len(rows)} readings, {accepted.mean():.1%} accepted as they are")
    print(f"cross-validated: {_quality(guesses, accepted)}")
    is_second = is_first[:, 0] == 0
    print(f"  of the second set: {_quality(guesses[is_second], accepted[is_second])}")
    for name, column in zip(names, values.T, strict=True):
        print(f"  {name}: area under the curve {area(column, accepted):.3f}")
    _print_calibration(guesses, accepted)
    print("second set:")
    _print_calibration(guesses[is_second], accepted[is_second])
    stricter = [row for row, is_again in zip(rows, is_second, strict=True) if is_again]
    for limit in LIMITS:
        _print_texts(stricter, guesses[is_second], limit)
    constant, (*weights, lenience) = fit(features, accepted)
    print(f"lenience of the first set: {lenience:+.2f}")
    judged = _fit_second_model(rows, guesses, accepted, is_first)
    model = Acceptance(
        constant=_significant(constant),
        weights=_round_weights(dict(zip(names, weights, strict=True))),
        judged=judged,
    )
    _print_test(model, [row for row in table if row["set"] == TEST])
    fitted_moves = [row for row in rows if row["rules"] == MOVES]
    sets_read = [("moves in the fit", fitted_moves)]
    sets_read += [
        (title, [row for row in table if row["set"] == name]) for name, title in ONLY_READ.items()
    ]
    for title, rows_of_set in sets_read:
        print(f"{title}: {np.mean([row['mark'] == 'accept' for row in rows_of_set]):.1%} accepted")
        _print_marks(rows_of_set)
    _print_pairs([row for row in table if row["paraphrase"] and row["mark"] == "accept"])
    options.out.write_text(json.dumps(asdict(model), indent=1) + "\n")


def _print_pairs(rows: Sequence[dict[str, str]]) -> None:
    """Print how many of the candidates that were judged as pairs are paraphrases, by what moved."""
    for title, rows_of_kind in (
        ("moves", [row for row in rows if row["rules"] == MOVES]),
        ("exchanges", [row for row in rows if row["rules"] != MOVES]),
    ):
        number = sum(row["paraphrase"] == "1" for row in rows_of_kind)
        print(f"accepted {title} judged as pairs: {number} of {len(rows_of_kind)} are paraphrases")


def _print_test(model: Acceptance, rows: Sequence[dict[str, str]]) -> None:
    """Print the marks of what each limit lets pass, without and with the second model."""
    names = model.weights.keys()
    features = [{name: float(row[name] or 0) for name in names} for row in rows]
    guesses = [model.probability(row) for row in features]
    rows_with_guess = list(zip(rows, guesses, strict=True))
    estimated = [(row, guess) for row, guess in rows_with_guess if row["rules"] == "estimate"]
    moved = [(row, guess) for row, guess in rows_with_guess if row["rules"] == MOVES]
    judged = [
        (row, model.judged_probability(guess, float(row["judge_loss"])))
        for row, guess in rows_with_guess
        if row["rules"] == "second model"
    ]
    for title, rows_of_kind in (
        ("test set, exchanges", estimated),
        ("test set, moved adverbials", moved),
        ("test set, exchanges with the second model", judged),
    ):
        print(f"{title}:")
        for limit in LIMITS:
            _print_texts(
                [row for row, _ in rows_of_kind],
                np.array([guess for _, guess in rows_of_kind]),
                limit,
            )


def fit(features: Values, accepted: Values, penalty: float = PENALTY) -> tuple[float, list[float]]:
    """Return the constant and the weights of a logistic regression, by Newton's method."""
    mean, spread = features.mean(axis=0), features.std(axis=0) + 1e-9
    inputs = np.c_[np.ones(len(features)), (features - mean) / spread]
    ridge = np.diag([1e-6, *[penalty] * features.shape[1]])
    weights = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        guesses = logistic(inputs @ weights)
        gradient = inputs.T @ (accepted - guesses) - ridge @ weights
        hessian = (inputs.T * (guesses * (1 - guesses))) @ inputs + ridge
        weights += np.linalg.solve(hessian, gradient)
    unscaled_weights = weights[1:] / spread
    return float(weights[0] - unscaled_weights @ mean), unscaled_weights.tolist()


def cross_validate(features: Values, accepted: Values, penalty: float = PENALTY) -> Values:
    """Return the probability of each candidate by a model that was fitted without its fold."""
    folds = np.random.default_rng(0).permutation(len(accepted)) % FOLDS
    guesses = np.zeros(len(accepted))
    for fold in range(FOLDS):
        inside = folds == fold
        constant, weights = fit(features[~inside], accepted[~inside], penalty)
        guesses[inside] = logistic(constant + features[inside] @ np.array(weights))
    return guesses


def logistic(values: Values) -> Values:
    result: Values = 1.0 / (1.0 + np.exp(-values))
    return result


def area(scores: Values, accepted: Values) -> float:
    """Return how often an accepted candidate scores above another one, ties counted half."""
    rejected, mine = np.sort(scores[accepted == 0]), scores[accepted == 1]
    sides = [np.searchsorted(rejected, mine, side=side) for side in ("left", "right")]
    return float(np.mean(sides) / len(rejected))


def _fit_second_model(
    rows: Sequence[dict[str, str]], guesses: Values, accepted: Values, is_first: Values
) -> dict[str, float]:
    """Fit and report what the second model adds to cross-fitted probabilities."""
    is_scored = np.array([row["judge_loss"] != "" for row in rows])
    losses = np.array([float(row["judge_loss"] or 0) for row in rows])[is_scored]
    logits = np.log(guesses / (1 - guesses))[is_scored]
    columns = np.c_[logits, losses.clip(LEAST_JUDGED, MOST_JUDGED), is_first[is_scored]]
    accepted_of_scored = accepted[is_scored]
    print(f"{len(accepted_of_scored)} with the second model's score")
    print(f"  without it: {_quality(guesses[is_scored], accepted_of_scored)}")
    print(f"  its loss alone: area under the curve {area(-losses, accepted_of_scored):.3f}")
    judged_guesses = cross_validate(columns, accepted_of_scored, penalty=1.0)
    print(f"  with it: {_quality(judged_guesses, accepted_of_scored)}")
    _print_calibration(judged_guesses, accepted_of_scored)
    is_second = is_first[is_scored, 0] == 0
    known_rows = [row for row, is_scored in zip(rows, is_scored, strict=True) if is_scored]
    stricter = [row for row, is_again in zip(known_rows, is_second, strict=True) if is_again]
    _print_texts(stricter, judged_guesses[is_second], LIMITS[1])
    constant, (logit, loss, _) = fit(columns, accepted_of_scored, penalty=1.0)
    return _round_weights({"constant": constant, "logit": logit, "loss": loss})


def _quality(guesses: Values, accepted: Values) -> str:
    right = np.where(accepted == 1, guesses, 1 - guesses)
    return (
        f"area under the curve {area(guesses, accepted):.3f}, log loss {-np.log(right).mean():.3f}"
    )


def _print_calibration(guesses: Values, accepted: Values) -> None:
    for low in (0.0, 0.2, 0.4, 0.6, 0.7, 0.8):
        high = low + (0.1 if low >= 0.6 else 0.2) if low < 0.8 else 1.0
        inside = (guesses >= low) & (guesses < high)
        if inside.any():
            print(
                f"  {low:.1f}-{high:.1f}: {inside.sum()} candidates,"
                f" predicted {guesses[inside].mean():.1%}, accepted {accepted[inside].mean():.1%}"
            )


def _print_texts(rows: Sequence[dict[str, str]], guesses: Values, limit: float) -> None:
    """Print the marks of the candidates with a probability of at least `limit`."""
    print(f"candidates of {limit} or more (questions {limit - QUESTION_ALLOWANCE:.2f}):")
    lower = [QUESTION_ALLOWANCE * (row["text"] == "question") for row in rows]
    _print_marks([row for row, guess in zip(rows, guesses + lower, strict=True) if guess >= limit])


def _print_marks(chosen: Sequence[dict[str, str]]) -> None:
    for text in sorted({row["text"] for row in chosen}):
        marks = Counter(row["mark"] for row in chosen if row["text"] == text)
        low, high = wilson(marks["accept"], marks.total())
        print(
            f"  {text}: {marks['accept']} of {marks.total()} accepted"
            f" ({low:.0%}-{high:.0%}), {marks['reject']} rejected"
        )


def wilson(found: int, total: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a share."""
    share, spread = found / total, 1.96**2 / total
    middle, half = share + spread / 2, math.sqrt(share * (1 - share) * spread + spread**2 / 4)
    return (middle - half) / (1 + spread), (middle + half) / (1 + spread)


def _round_weights(values: dict[str, float]) -> dict[str, float]:
    return {name: _significant(value) for name, value in values.items()}


def _significant(value: float) -> float:
    """Return a number with four significant digits."""
    return round(value, 3 - math.floor(math.log10(abs(value)))) if value else 0.0


if __name__ == "__main__":
    main()
