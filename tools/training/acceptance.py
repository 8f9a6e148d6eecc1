"""Fit the probability that a candidate is accepted: `... training.acceptance READINGS OUT_FILE`.

READINGS is a table of candidates that were read, with the features of each
(docs/researcher/word_swap_readings.tsv). A logistic regression with a ridge penalty is fitted on
the candidates of the sets FITTED; the second language model's part on those that it scored; and the
weights of what only balanced runs make on the set BALANCED, besides the others. Prints how well
they do, also on the set TEST, which had no part in the fit and in the limits, and the marks of the
sets ONLY_READ.
"""

import argparse
import csv
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from annotation.stats.intervals import wilson
from generation.nlp.acceptance import LEAST_JUDGED, MOST_JUDGED, Acceptance
from generation.nlp.settings import WordSwapSettings
from tools.training.regression import (
    Values,
    area,
    cross_validate,
    fit,
    print_calibration,
    quality,
    round_weights,
    significant,
)

LIMITS = (0.65, 0.55, 0.67)  # of the presets default and more, and with a second model
FITTED, TEST, BALANCED = ("fit", "fit again"), "test", "balanced"
MOVES = "adverbials"  # in the column "rules"
# Sets that are only read: candidates as a run gives them, and moves that the rules leave out.
ONLY_READ = {
    "not used": "moves that the rules leave out",
    "default": "the preset default",
    "paper": "the preset paper",
    "second model": "0.7 or more by the second model",
    "balanced test": "the preset balanced as it was first, on texts to which nothing was fitted",
    "lists test": "the preset balanced, on texts to which nothing was fitted",
    "control": "sentences as written, and candidates of the preset paper, among these",
}
UNSEEN = ("lists test", "balanced test", "control")  # nothing is fitted to them
# Features that only balanced runs have; each of their candidates has one of these.
TYPES = ("reattached", "clauses_exchanged", "adverbials_exchanged", "list", "side_by_side")
NOT_FEATURES = 12  # columns before the features


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.training.acceptance", description=__doc__)
    parser.add_argument("readings", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    table = read(options.readings)
    rows = [row for row in table if row["set"] in FITTED]
    names = feature_names(rows)
    # Readers of the first set were more lenient; the probability is that of the others.
    is_first = np.array([[row["set"] == FITTED[0]] for row in rows], np.float64)
    values = matrix(rows, names)
    features = np.c_[values, is_first]
    accepted = np.array([row["mark"] == "accept" for row in rows], np.float64)
    guesses = cross_validate(features, accepted)
    print(f"{len(rows)} readings, {accepted.mean():.1%} accepted as they are")
    print(f"cross-validated: {quality(guesses, accepted)}")
    is_second = is_first[:, 0] == 0
    print(f"  of the second set: {quality(guesses[is_second], accepted[is_second])}")
    for name, column in zip(names, values.T, strict=True):
        print(f"  {name}: area under the curve {area(column, accepted):.3f}")
    print_calibration(guesses, accepted)
    print("second set:")
    print_calibration(guesses[is_second], accepted[is_second])
    stricter = [row for row, is_again in zip(rows, is_second, strict=True) if is_again]
    for limit in LIMITS:
        _print_texts(stricter, guesses[is_second], limit)
    constant, (*weights, lenience) = fit(features, accepted)
    print(f"lenience of the first set: {lenience:+.2f}")
    judged = _fit_second_model(rows, guesses, accepted, is_first)
    model = Acceptance(
        constant=significant(constant),
        weights=round_weights(dict(zip(names, weights, strict=True))),
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
    print("the preset balanced, by the second reader:")
    test = [row for row in table if row["set"] == UNSEEN[0]]
    _print_marks([row | {"mark": row["again"]} for row in test])
    model = _with_balanced(model, [row for row in table if row["set"] == BALANCED])
    options.out.write_text(json.dumps(asdict(model), indent=1) + "\n")


def read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def feature_names(rows: Sequence[dict[str, str]]) -> list[str]:
    """Return the names of the features that any of the candidates has."""
    return [name for name in list(rows[0])[NOT_FEATURES:] if any(row[name] for row in rows)]


def matrix(rows: Sequence[dict[str, str]], names: Sequence[str]) -> Values:
    """Return the features of candidates, 0 where one has none: shape (rows, names)."""
    return np.array([[float(row[name] or 0) for name in names] for row in rows])


def _with_balanced(model: Acceptance, rows: Sequence[dict[str, str]]) -> Acceptance:
    """Return the model with weights of the features that only balanced runs have.

    The other weights stay, so that candidates of other runs have the same estimates.
    """
    names = [name for name in feature_names(rows) if name not in model.weights]
    has_any = [row for row in rows if any(float(row[name] or 0) for name in TYPES)]
    accepted = np.array([row["mark"] == "accept" for row in has_any], np.float64)
    weights = model.weights
    logits = matrix(has_any, [*weights]) @ np.array([*weights.values()]) + model.constant
    features = matrix(has_any, names)
    guesses = cross_validate(features, accepted, offsets=logits)
    print(f"{len(has_any)} only by balanced runs, {accepted.mean():.1%} accepted as they are")
    print(f"cross-validated: {quality(guesses, accepted)}")
    print_calibration(guesses, accepted)
    for name in TYPES:
        print(f"{name}:")
        _print_marks([row for row in has_any if float(row[name] or 0)])
    constant, more = fit(features, accepted, offsets=logits)
    weights = {**weights, **round_weights(dict(zip(names, more, strict=True)))}
    # Each candidate is of one type, so the constant is part of the weight of each type.
    weights |= {name: significant(weights[name] + constant) for name in TYPES}
    return replace(model, weights=weights)


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
    print(f"  without it: {quality(guesses[is_scored], accepted_of_scored)}")
    print(f"  its loss alone: area under the curve {area(-losses, accepted_of_scored):.3f}")
    judged_guesses = cross_validate(columns, accepted_of_scored, penalty=1.0)
    print(f"  with it: {quality(judged_guesses, accepted_of_scored)}")
    print_calibration(judged_guesses, accepted_of_scored)
    is_second = is_first[is_scored, 0] == 0
    known_rows = [row for row, is_scored in zip(rows, is_scored, strict=True) if is_scored]
    stricter = [row for row, is_again in zip(known_rows, is_second, strict=True) if is_again]
    _print_texts(stricter, judged_guesses[is_second], LIMITS[1])
    constant, (logit, loss, _) = fit(columns, accepted_of_scored, penalty=1.0)
    return round_weights({"constant": constant, "logit": logit, "loss": loss})


def _print_texts(rows: Sequence[dict[str, str]], guesses: Values, limit: float) -> None:
    """Print the marks of the candidates with a probability of at least `limit`."""
    questions = WordSwapSettings().acceptance_of_questions
    print(f"candidates of {limit} or more (questions {questions}):")
    limits = [questions if row["text"] == "question" else limit for row in rows]
    rows_and_guesses = zip(rows, guesses, limits, strict=True)
    _print_marks([row for row, guess, least in rows_and_guesses if guess >= least])


def _print_marks(chosen: Sequence[dict[str, str]]) -> None:
    for text in sorted({row["text"] for row in chosen}):
        marks = Counter(row["mark"] for row in chosen if row["text"] == text)
        low, high = wilson(marks["accept"], marks.total()) or (0.0, 1.0)
        print(
            f"  {text}: {marks['accept']} of {marks.total()} accepted"
            f" ({low:.0%}-{high:.0%}), {marks['reject']} rejected"
        )


if __name__ == "__main__":
    main()
