"""k-means with k-means++ seeding: rows of vectors in, the number of the cluster of each row out.

Everything is drawn from one seed, and ties go to the lower index, so that the same rows and seed
give the same clusters. The time grows with rows x clusters x columns.
"""

from dataclasses import dataclass
from itertools import cycle, islice

import numpy as np
from numpy.typing import NDArray

Rows = NDArray[np.float64]
Labels = NDArray[np.int64]

MOST_ROUNDS = 300
# Points moved one at a time after the rounds: far more than any set needs.
MOST_MOVES_PER_ROW = 10
# Gains below this share of the longest row's square are rounding errors.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Clustering:
    """The cluster of each row, and the sum of squared distances to the clusters' means."""

    labels: Labels
    inertia: float


def k_means(rows: Rows, k: int, *, seed: int, starts: int = 3) -> Clustering:
    """Return the best of several clusterings into `k` clusters, none of which is empty.

    Seeded by k-means++ (Arthur and Vassilvitskii 2007). At last, points change their cluster one at
    a time (Hartigan and Wong 1979): with two points to a cluster, means alone get stuck early.
    """
    if not 1 <= k <= len(rows):
        raise ValueError(f"{len(rows)} rows cannot form {k} clusters.")
    rows = np.ascontiguousarray(rows, dtype=np.float64)
    clusterings = (
        _cluster_once(rows, k, np.random.default_rng([seed, start])) for start in range(starts)
    )
    return min(clusterings, key=lambda clustering: clustering.inertia)


def _cluster_once(rows: Rows, k: int, random: np.random.Generator) -> Clustering:
    centres = rows[_draw_seeds(rows, k, random)]
    labels = np.full(len(rows), -1)
    for _ in range(MOST_ROUNDS):
        before, labels = labels, _assign_to_centres(rows, centres)
        centres = _means(rows, labels, k)
        if np.array_equal(before, labels):
            break
    labels = _move_points(rows, labels, centres)
    residuals = rows - _means(rows, labels, k)[labels]
    return Clustering(labels, float(np.einsum("ij,ij->", residuals, residuals)))


def _draw_seeds(rows: Rows, k: int, random: np.random.Generator) -> list[int]:
    """Draw rows by the square of their distance to the nearest one drawn before."""
    # The best of several candidates, as many as in scikit-learn, makes bad starts rarer.
    draws, lengths = 2 + int(np.log(k)), _squares(rows)
    seeds = [int(random.integers(len(rows)))]
    nearest = _distances(rows, lengths, rows[seeds])[:, 0]
    while len(seeds) < k:
        total = np.cumsum(nearest)
        candidates = np.searchsorted(total, random.random(draws) * total[-1], side="right")
        candidates = np.minimum(candidates, len(rows) - 1)
        distances_with = np.minimum(nearest[:, None], _distances(rows, lengths, rows[candidates]))
        best = int(distances_with.sum(axis=0).argmin())
        seeds.append(int(candidates[best]))
        nearest = distances_with[:, best]
    return seeds


def _squares(rows: Rows) -> Rows:
    squares: Rows = np.einsum("ij,ij->i", rows, rows)
    return squares


def _distances(rows: Rows, lengths: Rows, centres: Rows) -> Rows:
    squares = rows @ (-2.0 * centres.T)
    squares += lengths[:, None]
    squares += _squares(centres)
    return np.maximum(squares, 0.0, out=squares)


def _assign_to_centres(rows: Rows, centres: Rows) -> Labels:
    """Return the nearest centre of each row; an empty cluster takes the farthest point."""
    distances = _distances(rows, _squares(rows), centres)
    labels: Labels = distances.argmin(axis=1)
    sizes = np.bincount(labels, minlength=len(centres))
    to_centre = distances[np.arange(len(rows)), labels]
    for empty in np.flatnonzero(sizes == 0):
        distance_of_free = np.where(sizes[labels] > 1, to_centre, -1.0)
        farthest = int(distance_of_free.argmax())
        sizes[labels[farthest]] -= 1
        labels[farthest], sizes[empty], to_centre[farthest] = empty, 1, 0.0
    return labels


def _means(rows: Rows, labels: Labels, k: int) -> Rows:
    sums = np.zeros((k, rows.shape[1]))
    np.add.at(sums, labels, rows)
    return sums / np.bincount(labels, minlength=k)[:, None]


def _move_points(rows: Rows, labels: Labels, centres: Rows) -> Labels:
    """Move points one at a time, each to the cluster that lowers the inertia most."""
    sizes = np.bincount(labels, minlength=len(centres)).astype(np.float64)
    lengths, squares = _squares(rows), _squares(centres)
    least_gain = ROUNDING * float(lengths.max())
    rows_unmoved = 0
    for row in islice(cycle(range(len(rows))), MOST_MOVES_PER_ROW * len(rows)):
        old, rows_unmoved = labels[row], rows_unmoved + 1
        if sizes[old] > 1:
            distances = lengths[row] + squares - 2 * (centres @ rows[row])
            # What the row adds to the inertia of each cluster, whose centre it moves.
            costs = distances * sizes / (sizes + 1)
            costs[old] = distances[old] * sizes[old] / (sizes[old] - 1)
            new = int(costs.argmin())
            if costs[old] - costs[new] > least_gain:
                _move(rows[row], centres, sizes, int(old), new)
                squares[[old, new]] = _squares(centres[[old, new]])
                labels[row], rows_unmoved = new, 0
        if rows_unmoved == len(rows):
            break
    return labels


def _move(row: Rows, centres: Rows, sizes: Rows, old: int, new: int) -> None:
    centres[old] += (centres[old] - row) / (sizes[old] - 1)
    centres[new] += (row - centres[new]) / (sizes[new] + 1)
    sizes[old] -= 1
    sizes[new] += 1
