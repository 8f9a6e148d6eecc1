"""How much of the label the shape of a pair gives away, without the meaning of any word.

Rules of one feature, and a small tree of all, are fitted to train and tested on test. They read the
two texts, and what the release says of a pair. Where one is far above the majority label, a model
can learn the shape instead of the meaning: PAWS-like swaps all look alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import TypeAlias

import numpy as np
from rapidfuzz.distance import LCSseq

from annotation.stats.intervals import wilson
from evaluation.data import Pairs
from evaluation.experiments.datasets import refuse_unusable, source_sides
from evaluation.experiments.figures import Figures, size
from evaluation.experiments.fits import Fit, Results, Study
from evaluation.experiments.sets import Dataset
from evaluation.shapes import KIND, READABLE, SIDE, TREE, UNCLEAR, UNREADABLE
from evaluation.tree import Rows, grow, predict
from generation.nlp.words import words

# The values of each feature in train and test, in the order of their pairs.
Features: TypeAlias = dict[str, tuple[list[float], list[float]]]

# In the order of `_measure_texts`.
OF_TEXTS = ("rotation", "first_word", "last_word", "places", "first_change", "moved", "length")
# A rule of one feature may cut it into four, so that it can single out one number of places.
DEPTH_OF_RULE, DEPTH_OF_TREE = 2, 4
# A set is readable from its shape if a rule is farther above the majority label.
MOST_POINTS = 0.1


def fits(study: Study) -> list[Fit]:
    """Return none: rules need no model. Raises Unusable."""
    refuse_unusable(study.dataset)
    return []


def figures(study: Study, _results: Results) -> Figures:
    """Return the accuracy of each rule on test, and the share of the more frequent label there."""
    dataset = study.dataset
    sizes = size(dataset.test)
    majority = max(sizes["paraphrases"], sizes["pairs"] - sizes["paraphrases"]) / sizes["pairs"]
    features = _features(dataset)
    depths = {(name,): DEPTH_OF_RULE for name in features} | {(*features,): DEPTH_OF_TREE}
    rules = [
        {
            "rule": TREE if depth == DEPTH_OF_TREE else names[0],
            **_rule_figures(dataset, [features[name] for name in names], depth, majority),
        }
        for names, depth in depths.items()
    ]
    return {
        "sets": {"train": size(dataset.train), "test": sizes},
        "majority": round(majority, 6),
        "rules": rules,
        "verdict": _verdict(rules, majority),
    }


def _rule_figures(
    dataset: Dataset, columns: Sequence[tuple[list[float], list[float]]], depth: int, chance: float
) -> Figures:
    train, test = (_rows([column[at] for column in columns]) for at in (0, 1))
    labels = predict(grow(train, dataset.train.labels, depth=depth), test)
    right = int((labels == dataset.test.labels).sum())
    accuracy = right / len(dataset.test)
    interval = wilson(right, len(dataset.test)) or (0.0, 1.0)
    return {
        "accuracy": round(accuracy, 6),
        "points": round(accuracy - chance, 6),
        "interval": [round(end, 6) for end in interval],
    }


def _rows(columns: Sequence[Sequence[float]]) -> Rows:
    return np.array(columns, dtype=np.float64).T


def _verdict(rules: Sequence[Figures], majority: float) -> str:
    """Return "readable", or "unclear" if chance in the choice of test pairs may explain it."""
    above = [rule for rule in rules if rule["points"] > MOST_POINTS]
    if any(rule["interval"][0] > majority for rule in above):
        return READABLE
    return UNCLEAR if above else UNREADABLE


def _features(dataset: Dataset) -> Features:
    sets = (dataset.train, dataset.test)
    train, test = ([*map(_measure_texts, pairs.first, pairs.second)] for pairs in sets)
    of_texts = zip(OF_TEXTS, zip(*train, strict=True), zip(*test, strict=True), strict=True)
    features = {name: ([*of_train], [*of_test]) for name, of_train, of_test in of_texts}
    return features | dict(_told_features(dataset))


def _told_features(dataset: Dataset) -> Iterator[tuple[str, tuple[list[float], list[float]]]]:
    """Yield the features that only some releases tell."""
    kinds = dataset.columns.get(KIND, {})
    if any(kinds.values()):
        shares = _shares_by_kind(dataset.train, kinds)
        middle = float(dataset.train.labels.mean())
        of_train, of_test = (
            [shares.get(kinds.get(key, ""), middle) for key in pairs.ids]
            for pairs in (dataset.train, dataset.test)
        )
        yield KIND, (of_train, of_test)
    sides = [source_sides(dataset, pairs) for pairs in (dataset.train, dataset.test)]
    if any(side is not None for side in sides[0]):
        # Between both sides, where the source is unknown.
        of_train, of_test = ([0.5 if side is None else side for side in row] for row in sides)
        yield SIDE, (of_train, of_test)


def _shares_by_kind(train: Pairs, kinds: Mapping[str, str]) -> dict[str, float]:
    """Return the share of paraphrases of each kind in train.

    In this order, cuts divide two labels as well as any grouping of the kinds (Breiman 1984).
    """
    labels_by_kind: dict[str, list[int]] = {}
    for key, label in zip(train.ids, train.labels.tolist(), strict=True):
        labels_by_kind.setdefault(kinds.get(key, ""), []).append(label)
    return {kind: sum(labels) / len(labels) for kind, labels in labels_by_kind.items()}


def _measure_texts(first: str, second: str) -> tuple[float, ...]:
    """Return the features of two texts; case and punctuation aside, as a moved word changes both.

    >>> _measure_texts("In May, Ann left.", "Ann left in May.")
    (1.0, 1.0, 1.0, 4.0, 0.0, 0.5, 8.0)
    """
    before, after = words(first.casefold()), words(second.casefold())
    longest = max(len(before), len(after), 1)
    changed = [
        place for place, (one, other) in enumerate(zip_longest(before, after)) if one != other
    ]
    return (
        float(_is_rotation(before, after)),
        float(before[:1] != after[:1]),
        float(before[-1:] != after[-1:]),
        float(len(changed)),
        changed[0] / longest if changed else 1.0,
        LCSseq.distance(before, after) / longest,
        float(len(before) + len(after)),
    )


def _is_rotation(before: list[str], after: list[str]) -> bool:
    """Return whether a part from the beginning went to the end, and nothing else changed."""
    if len(before) != len(after) or before == after:
        return False
    starts = (place for place, word in enumerate(before) if word == after[0])
    return any(before[start:] + before[:start] == after for start in starts)
