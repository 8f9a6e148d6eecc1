"""A small decision tree for two labels: CART (Breiman et al. 1984), split by Gini impurity.

Nothing is drawn: of equally good splits, the first feature and its lowest threshold are taken.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = NDArray[np.float64]
Labels: TypeAlias = NDArray[np.int8]
# Fewer pairs in a leaf say little about its label.
LEAST_IN_LEAF = 5


@dataclass(frozen=True, slots=True)
class Leaf:
    label: int


@dataclass(frozen=True, slots=True)
class Split:
    """Rows with at most `threshold` in a feature go to `low`."""

    feature: int
    threshold: float
    low: "Tree"
    high: "Tree"


Tree: TypeAlias = Leaf | Split


def grow(rows: Rows, labels: Labels, *, depth: int) -> Tree:
    """Return a tree of at most `depth` splits above each leaf; `rows` are (pairs, features)."""
    ones = int(labels.sum())
    best = _best_split(rows, labels) if depth and 0 < ones < len(labels) else None
    if best is None:
        return Leaf(int(2 * ones > len(labels)))
    feature, threshold = best
    is_low = rows[:, feature] <= threshold
    low, high = (grow(rows[side], labels[side], depth=depth - 1) for side in (is_low, ~is_low))
    return Split(feature, threshold, low, high)


def predict(tree: Tree, rows: Rows) -> Labels:
    if isinstance(tree, Leaf):
        return np.full(len(rows), tree.label, dtype=np.int8)
    is_low = rows[:, tree.feature] <= tree.threshold
    labels = np.empty(len(rows), dtype=np.int8)
    labels[is_low] = predict(tree.low, rows[is_low])
    labels[~is_low] = predict(tree.high, rows[~is_low])
    return labels


def _best_split(rows: Rows, labels: Labels) -> tuple[int, float] | None:
    """Return the feature and threshold that leave the least impurity; None if none can split."""
    splits = [
        (*split, feature)
        for feature in range(rows.shape[1])
        if (split := _best_threshold(rows[:, feature], labels)) is not None
    ]
    if not splits:
        return None
    _impurity, threshold, feature = min(splits, key=lambda split: split[0])
    return feature, threshold


def _best_threshold(values: Rows, labels: Labels) -> tuple[float, float] | None:
    """Return the least impurity of a feature's splits, and its threshold, between two values."""
    order = np.argsort(values, kind="stable")
    sorted_values, ones = values[order], np.cumsum(labels[order], dtype=np.int64)
    sizes = np.arange(1, len(values) + 1)
    is_split = (sizes >= LEAST_IN_LEAF) & (len(values) - sizes >= LEAST_IN_LEAF)
    is_split[:-1] &= sorted_values[:-1] < sorted_values[1:]
    places = np.flatnonzero(is_split[:-1])
    if not len(places):
        return None
    size_low, ones_low = sizes[places], ones[places]
    impurities = _impurity(size_low, ones_low) + _impurity(
        len(values) - size_low, ones[-1] - ones_low
    )
    best = int(np.argmin(impurities))
    place = places[best]
    return float(impurities[best]), float(sorted_values[place] + sorted_values[place + 1]) / 2


def _impurity(sizes: NDArray[np.int64], ones: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the Gini impurity of each side times its size, but for a constant factor."""
    impurity: NDArray[np.float64] = ones * (sizes - ones) / sizes
    return impurity
