"""Which labels people confuse: how often two answers to one pair have which two labels.

No person is the reference of another, so the counts are symmetric. They come from tallies, as all
measures of agreement do.
"""

from typing import TypeAlias

import numpy as np

from annotation.stats.agreement import VoteTable, as_arrays
from annotation.stats.labels import FEWEST, Scheme

# A row and a column for each label, in the order of the scheme.
Counts: TypeAlias = tuple[tuple[int, ...], ...]
Shares: TypeAlias = tuple[tuple[float | None, ...], ...]


def has_confusions(scheme: Scheme) -> bool:
    """Return whether labels have no order, and are more than two: else alpha tells as much."""
    return not scheme.is_ordered and scheme.size > FEWEST


def pairs_of_answers(votes: VoteTable) -> Counts:
    """Count any two answers to the same pair by their labels; each two are counted once.

    Pairs with fewer than two answers are left out. Two answers with different labels are in two
    cells, one on each side of the diagonal. Empty without pairs.

    >>> pairs_of_answers({(2, 1, 0): 10})
    ((10, 20, 0), (20, 0, 0), (0, 0, 0))
    """
    tallies, pairs = as_arrays(votes)
    counts = np.einsum("t,ti,tj->ij", pairs, tallies, tallies)
    np.fill_diagonal(counts, pairs @ (tallies * (tallies - 1) / 2))
    return tuple(tuple(map(int, row)) for row in counts)


def shares_of_rows(counts: Counts) -> Shares:
    """Return how often another answer has the label of the column, where one has that of the row.

    None in the row of a label that no one gave.

    >>> shares_of_rows(((10, 20), (20, 0)))
    ((0.5, 0.5), (1.0, 0.0))
    """
    # On the diagonal, each of two answers is the other of the second.
    other_answers = [
        [number * (1 + (row == column)) for column, number in enumerate(numbers)]
        for row, numbers in enumerate(counts)
    ]
    return tuple(
        tuple(number / sum(numbers) if sum(numbers) else None for number in numbers)
        for numbers in other_answers
    )
