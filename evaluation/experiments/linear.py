"""A linear model over words and pairs of neighbouring words that sees only part of a pair."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation import measures
from evaluation.contract import Scores, Tell, silent
from evaluation.data import Pairs
from generation.nlp.words import tokens

# The features of a pair with their values.
View = Callable[[str, str], dict[str, float]]
STEPS, RATE, DECAY = 200, 0.1, 1e-4
LEAST = 2
MOMENTS = (0.9, 0.999)


def of_second(_: str, second: str) -> dict[str, float]:
    """See sentence2 alone."""
    return dict.fromkeys(_grams(second), 1.0)


def of_difference(first: str, second: str) -> dict[str, float]:
    """See what sentence2 has and sentence1 has not (1), and the other way round (-1)."""
    one, other = {*_grams(first)}, {*_grams(second)}
    return dict.fromkeys(sorted(other - one), 1.0) | dict.fromkeys(sorted(one - other), -1.0)


def _grams(text: str) -> Iterator[str]:
    found = tokens(text.casefold())
    yield from found
    yield from map(" ".join, pairwise(["", *found, ""]))


@dataclass(frozen=True, eq=False)
class Table:
    """A sparse matrix: the value of a column in a row, for all that are not 0."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    values: NDArray[np.float64]
    shape: tuple[int, int]

    def times(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        each = self.values * weights[self.columns]
        found: NDArray[Any] = np.bincount(self.rows, weights=each, minlength=self.shape[0])
        return found

    def transposed_times(self, errors: NDArray[np.float64]) -> NDArray[np.float64]:
        each = self.values * errors[self.rows]
        found: NDArray[Any] = np.bincount(self.columns, weights=each, minlength=self.shape[1])
        return found


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
        return _shares(_table(_seen(self.view, pairs), self.places), self.weights)


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
        seen = _seen(self.view, train)
        counts = Counter(feature for each in seen for feature in each)
        known = [feature for feature, number in counts.items() if number >= LEAST]
        places = {feature: at for at, feature in enumerate(known)}
        table, of_dev = _table(seen, places), _table(_seen(self.view, dev), places)
        best, most = np.zeros(table.shape[1]), -1
        for step, weights in enumerate(_descent(table, train.labels), start=1):
            if (right := int(measures.right(dev.labels, _shares(of_dev, weights)).sum())) > most:
                best, most = weights, right
            tell(step, STEPS)
        return Fitted(self.view, places, best)


def _descent(table: Table, labels: NDArray[np.int8]) -> Iterator[NDArray[np.float64]]:
    """Yield the weights after each step of Adam (Kingma and Ba 2015)."""
    weights = np.zeros(table.shape[1])
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        errors = _shares(table, weights) - labels
        slope = table.transposed_times(errors) / len(labels) + DECAY * weights
        mean = MOMENTS[0] * mean + (1 - MOMENTS[0]) * slope
        square = MOMENTS[1] * square + (1 - MOMENTS[1]) * slope**2
        size = np.sqrt(square / (1 - MOMENTS[1] ** step)) + 1e-8
        weights = weights - RATE * mean / (1 - MOMENTS[0] ** step) / size
        yield weights


def _shares(table: Table, weights: NDArray[np.float64]) -> Scores:
    found: Scores = 1 / (1 + np.exp(-table.times(weights).clip(-30, 30)))
    return found


def _seen(view: View, pairs: Pairs) -> list[dict[str, float]]:
    return [view(*texts) for texts in pairs.texts]


def _table(seen: Sequence[dict[str, float]], places: dict[str, int]) -> Table:
    """Return a row of length 1 for each pair, without unknown features, and a column of ones."""
    rows, columns, values = [], [], []
    for at, features in enumerate(seen):
        known = [(places[name], value) for name, value in features.items() if name in places]
        rows += [at] * len(known)
        columns += [place for place, _ in known]
        values += [value / len(known) ** 0.5 for _, value in known]
    count, constant = len(seen), len(places)
    return Table(
        np.array([*rows, *range(count)], dtype=np.intp),
        np.array([*columns, *[constant] * count], dtype=np.intp),
        np.array([*values, *[1.0] * count]),
        (count, constant + 1),
    )
