"""What the benchmark of the embedded models makes of its measurements."""

from itertools import islice

import pytest

from scripts.benchmarks.generation.embedded.growth import numbered
from scripts.benchmarks.generation.embedded.importing import Search, with_datasketch, with_ours
from scripts.benchmarks.generation.embedded.pipeline import Worked, WorkedBatch

REPEATS = [
    "Ships sail from the old harbour to the northern islands.",
    "Trains leave from the new station to the southern towns.",
    "Ships sail from the old harbour to the northern islands!",
]


def worked(*batches: tuple[int, float, float]) -> Worked:
    """A run whose batches had so many sentences, took so long, and the yardstick so long."""
    return Worked(None, [WorkedBatch(*batch) for batch in batches])


def test_late_sentences_are_compared_with_early_ones() -> None:
    run = worked((20, 0.2, 1), (200, 2, 1), (200, 9, 1), (200, 4, 1))

    assert run.growth(200) == pytest.approx((20, 10))


def test_early_sentences_are_counted_at_the_pace_of_the_late_ones() -> None:
    run = worked((200, 2, 1), (200, 5, 1.5))

    assert run.growth(200) == pytest.approx((25, 15))


def test_sentences_are_numbered_up_without_end() -> None:
    assert list(islice(numbered(["One.", "Two."]), 5)) == [
        "One.",
        "Two.",
        "One. (2)",
        "Two. (2)",
        "One. (3)",
    ]


@pytest.mark.parametrize("search", [with_ours, with_datasketch])
def test_both_searches_find_the_same_repeat(search: Search) -> None:
    found, _ = search(REPEATS)

    assert found == 1
