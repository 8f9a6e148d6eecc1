"""Fit the probability that a pair is a paraphrase: `... training.paraphrase READINGS OUT_FILE`.

READINGS is the table that `tools.training.acceptance` reads. A logistic regression with a ridge
penalty is fitted on the candidates that were judged together with their sources, except rejected
ones and those of UNSEEN. Prints how well it does, and how many of the accepted candidates of each
type are paraphrases.
"""

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from annotation.stats.intervals import wilson
from generation.nlp.logistic import Logistic
from tools.training.acceptance import BALANCED, MOVES, TYPES, UNSEEN, feature_names, matrix, read
from tools.training.regression import (
    cross_validate,
    fit,
    print_calibration,
    quality,
    round_weights,
    significant,
)

PENALTY = 5.0


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools.training.paraphrase", description=__doc__)
    parser.add_argument("readings", type=Path)
    parser.add_argument("out", type=Path)
    options = parser.parse_args()
    table = read(options.readings)
    judged = [row for row in table if row["paraphrase"] and row["set"] not in UNSEEN]
    rows = [row for row in judged if row["mark"] != "reject"]
    names = feature_names(rows)
    features = matrix(rows, names)
    names = [name for name, spread in zip(names, features.std(axis=0), strict=True) if spread]
    features = matrix(rows, names)
    is_paraphrase = np.array([row["paraphrase"] == "1" for row in rows], np.float64)
    guesses = cross_validate(features, is_paraphrase, PENALTY)
    print(f"{len(rows)} readings of pairs, {is_paraphrase.mean():.1%} are paraphrases")
    print(f"cross-validated: {quality(guesses, is_paraphrase)}")
    print_calibration(guesses, is_paraphrase, "paraphrases")
    accepted = [row for row in judged if row["mark"] == "accept"]
    for title in ("move", "exchange", *TYPES):
        _print_share(title, [row for row in accepted if _type(row) == title])
    constant, weights = fit(features, is_paraphrase, PENALTY)
    weights_by_name = round_weights(dict(zip(names, weights, strict=True)))
    model = Logistic(significant(constant), weights_by_name)
    options.out.write_text(json.dumps(asdict(model), indent=1) + "\n")


def _type(row: dict[str, str]) -> str:
    plain = "move" if row["rules"] == MOVES or float(row["main_words"] or 0) else "exchange"
    return next((name for name in TYPES if float(row[name] or 0)), plain)


def _print_share(title: str, rows: Sequence[dict[str, str]]) -> None:
    number = sum(row["paraphrase"] == "1" for row in rows)
    low, high = wilson(number, len(rows)) or (0.0, 1.0)
    print(
        f"accepted, {title}: {number} of {len(rows)} are paraphrases ({low:.0%}-{high:.0%});"
        f" {sum(row['set'] == BALANCED for row in rows)} of the set {BALANCED}"
    )


if __name__ == "__main__":
    main()
