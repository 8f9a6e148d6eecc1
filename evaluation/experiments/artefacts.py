"""Controls: a model that sees part of a pair must not do better than chance.

If one does, labels or sides can be guessed without comparing the sentences.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.stats.intervals import wilson
from evaluation import measures
from evaluation.contract import Model, Scores, Tell, silent
from evaluation.data import Pairs
from evaluation.experiments.datasets import refuse_unusable, source_sides
from evaluation.experiments.figures import Figures, measure_scores, size
from evaluation.experiments.fits import Fit, Results, Study
from evaluation.experiments.sets import Dataset, labels
from generation.nlp.words import tokens

# The features of a pair with their values.
View = Callable[[str, str], dict[str, float]]
STEPS, RATE, DECAY = 200, 0.1, 1e-4
LEAST = 2
MOMENTS = (0.9, 0.999)


def second_features(_: str, second: str) -> dict[str, float]:
    return dict.fromkeys(_grams(second), 1.0)


def difference_features(first: str, second: str) -> dict[str, float]:
    """See what sentence2 has and sentence1 has not (1), and the other way round (-1)."""
    grams1, grams2 = {*_grams(first)}, {*_grams(second)}
    return dict.fromkeys(sorted(grams2 - grams1), 1.0) | dict.fromkeys(
        sorted(grams1 - grams2), -1.0
    )


def _grams(text: str) -> Iterator[str]:
    words = tokens(text.casefold())
    yield from words
    yield from map(" ".join, pairwise(["", *words, ""]))


@dataclass(frozen=True, eq=False)
class Table:
    """A sparse matrix: the value of a column in a row, for all that are not 0."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    values: NDArray[np.float64]
    shape: tuple[int, int]

    def times(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        products = self.values * weights[self.columns]
        sums: NDArray[Any] = np.bincount(self.rows, weights=products, minlength=self.shape[0])
        return sums

    def transposed_times(self, errors: NDArray[np.float64]) -> NDArray[np.float64]:
        products = self.values * errors[self.rows]
        sums: NDArray[Any] = np.bincount(self.columns, weights=products, minlength=self.shape[1])
        return sums


@dataclass(frozen=True, eq=False)
class Fitted:
    """Weights of the features, the last of which is the same for all pairs."""

    view: View
    places: dict[str, int]
    weights: NDArray[np.float64]

    @property
    def parameters(self) -> int:
        return len(self.weights)

    def scores(self, pairs: Pairs) -> Scores:
        return _probabilities(_table(_feature_rows(self.view, pairs), self.places), self.weights)


@dataclass(frozen=True, slots=True)
class Linear:
    """Logistic regression by Adam, each step over all pairs, stopped where dev was best.

    Weights begin at 0, so that the seed changes nothing.
    """

    name: str
    view: View

    @property
    def identity(self) -> dict[str, str]:
        settings = {"steps": STEPS, "rate": RATE, "decay": DECAY, "least": LEAST}
        return {"name": self.name, **{name: str(value) for name, value in settings.items()}}

    def fit(self, train: Pairs, dev: Pairs, *, seed: int, tell: Tell = silent) -> Fitted:
        features_of_train = _feature_rows(self.view, train)
        counts = Counter(feature for features in features_of_train for feature in features)
        frequent = [feature for feature, number in counts.items() if number >= LEAST]
        places = {feature: column for column, feature in enumerate(frequent)}
        table, of_dev = (
            _table(features_of_train, places),
            _table(_feature_rows(self.view, dev), places),
        )
        best, most_right = np.zeros(table.shape[1]), -1
        for step, weights in enumerate(_descent(table, train.labels), start=1):
            if (
                right := int(measures.right(dev.labels, _probabilities(of_dev, weights)).sum())
            ) > most_right:
                best, most_right = weights, right
            tell(step, STEPS)
        return Fitted(self.view, places, best)


def _descent(table: Table, labels: NDArray[np.int8]) -> Iterator[NDArray[np.float64]]:
    """Yield the weights after each step of Adam (Kingma and Ba 2015)."""
    weights = np.zeros(table.shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        errors = _probabilities(table, weights) - labels
        gradient = table.transposed_times(errors) / len(labels) + DECAY * weights
        mean = MOMENTS[0] * mean + (1 - MOMENTS[0]) * gradient
        square = MOMENTS[1] * square + (1 - MOMENTS[1]) * gradient**2
        scale = np.sqrt(square / (1 - MOMENTS[1] ** step)) + 1e-8
        weights = weights - RATE * mean / (1 - MOMENTS[0] ** step) / scale
        yield weights


def _probabilities(table: Table, weights: NDArray[np.float64]) -> Scores:
    shares: Scores = 1 / (1 + np.exp(-table.times(weights).clip(-30, 30)))
    return shares


def _feature_rows(view: View, pairs: Pairs) -> list[dict[str, float]]:
    return [view(*texts) for texts in pairs.texts]


def _table(
    features_of_pairs: Sequence[dict[str, float]], column_of_feature: dict[str, int]
) -> Table:
    """Return a row of length 1 for each pair, without unknown features, and a column of ones."""
    rows, columns, values = [], [], []
    for row, features in enumerate(features_of_pairs):
        columns_and_values = [
            (column_of_feature[name], value)
            for name, value in features.items()
            if name in column_of_feature
        ]
        rows += [row] * len(columns_and_values)
        columns += [column for column, _ in columns_and_values]
        values += [value / len(columns_and_values) ** 0.5 for _, value in columns_and_values]
    count, ones_column = len(features_of_pairs), len(column_of_feature)
    return Table(
        np.array([*rows, *range(count)], dtype=np.intp),
        np.array([*columns, *[ones_column] * count], dtype=np.intp),
        np.array([*values, *[1.0] * count]),
        (count, ones_column + 1),
    )


SENTENCE2, SIDES = "sentence2 alone", "which is the source"
MODELS: Mapping[str, Model] = {
    SENTENCE2: Linear(SENTENCE2, second_features),
    SIDES: Linear(SIDES, difference_features),
}
# Weights begin at 0, so that another seed would give the same scores.
SEED = 0


def fits(study: Study) -> list[Fit]:
    """Return the fits of both controls; the second one only where sources are known."""
    refuse_unusable(study.dataset)
    return [
        Fit("train", name, SEED, train, dev, {"test": test})
        for name, (train, dev, test) in _control_sets(study.dataset).items()
    ]


def _control_sets(dataset: Dataset) -> dict[str, tuple[Pairs, Pairs, Pairs]]:
    sets = {SENTENCE2: (dataset.train, dataset.dev, dataset.test)}
    train, dev, test = (
        label_sides(dataset, dataset.split(name)) for name in ("train", "dev", "test")
    )
    if len(dev) and len(test) and len(labels(train)) == 2:
        sets[SIDES] = train, dev, test
    return sets


def label_sides(dataset: Dataset, pairs: Pairs) -> Pairs:
    """Return the pairs with a source, labelled 1 if that is sentence1 and 0 if it is sentence2."""
    sides = enumerate(source_sides(dataset, pairs))
    side_by_place = {place: side for place, side in sides if side is not None}
    sided_labels = np.array(list(side_by_place.values()), dtype=np.int8)
    return replace(pairs.take(list(side_by_place)), labels=sided_labels)


def figures(study: Study, results: Results) -> Figures:
    """Return for each control its figures, chance, and whether it does better than that.

    Chance is the larger share of a label. A control does better if the 95 % interval of its
    accuracy (Wilson) is above chance.
    """
    controls = [
        {"control": name, **_control_figures(test, results["train", name, SEED].scores["test"])}
        for name, (_, _, test) in _control_sets(study.dataset).items()
    ]
    return {"sets": {"test": size(study.dataset.test)}, "controls": controls}


def _control_figures(test: Pairs, scores: Scores) -> Figures:
    values, sizes = measure_scores(test, scores), size(test)
    chance = max(sizes["paraphrases"], sizes["pairs"] - sizes["paraphrases"]) / sizes["pairs"]
    low, high = wilson(round(values["accuracy"] * sizes["pairs"]), sizes["pairs"]) or (0.0, 1.0)
    bounds = {"chance": round(chance, 6), "interval": [round(low, 6), round(high, 6)]}
    return {**sizes, **values, **bounds, "better": low > chance}
