"""k-means against scikit-learn's, and its promises about ties, seeds and empty clusters."""

import numpy as np
import pytest
from sklearn.cluster import KMeans

from generation.nlp.clustering import k_means


def rows_of(seed, least=5, most=120):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(int(random.integers(least, most)), 64))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def inertia_of(rows, labels):
    means = {label: rows[labels == label].mean(axis=0) for label in set(labels)}
    return sum(((row - means[label]) ** 2).sum() for row, label in zip(rows, labels, strict=True))


@pytest.mark.parametrize("seed", range(20))
def test_clusters_are_as_tight_as_those_of_scikit_learn(seed):
    rows = rows_of(seed)
    k = len(rows) // 2
    found = k_means(rows, k, seed=seed)
    assert found.inertia == pytest.approx(inertia_of(rows, found.labels))
    theirs = KMeans(k, n_init=3, random_state=seed).fit(rows).inertia_
    assert found.inertia <= 1.01 * theirs


def test_the_same_seed_gives_the_same_bytes_and_another_one_may_not():
    rows = rows_of(1, 100, 101)
    first, again = (k_means(rows, 50, seed=7).labels for _ in range(2))
    assert first.tobytes() == again.tobytes()
    assert len({k_means(rows, 50, seed=seed).labels.tobytes() for seed in range(5)}) > 1


@pytest.mark.parametrize("rows", [np.zeros((7, 3)), np.ones((6, 2)), rows_of(3, 9, 10)])
def test_no_cluster_is_empty_even_if_all_points_are_one(rows):
    for k in range(1, len(rows) + 1):
        labels = k_means(rows, k, seed=0).labels
        assert set(labels) == set(range(k))
    with pytest.raises(ValueError, match="cannot form 0 clusters"):
        k_means(rows, 0, seed=0)


def test_points_that_belong_together_are_together():
    rows = np.array([[0, 0], [10, 0], [0, 1], [10, 1], [0, 0.5], [5, 90]], dtype=float)
    labels = k_means(rows, 3, seed=5).labels
    assert labels[0] == labels[2] == labels[4]
    assert labels[1] == labels[3]
    assert len(set(labels)) == 3
