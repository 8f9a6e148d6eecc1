"""Rows some at a time."""

from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.batches import batches


@given(st.lists(st.integers()), st.integers(1, 5))
def test_they_are_the_same_rows_in_the_same_order(rows: list[int], size: int) -> None:
    assert [row for some in batches(iter(rows), size) for row in some] == rows


@given(st.lists(st.integers()), st.integers(1, 5))
def test_all_but_the_last_are_full_and_none_is_empty(rows: list[int], size: int) -> None:
    *full, last = [len(some) for some in batches(rows, size)] or [size]
    assert set(full) <= {size}
    assert 1 <= last <= size


def test_no_more_rows_are_read_than_are_given() -> None:
    rows = iter(range(10))
    assert next(batches(rows, 3)) == [0, 1, 2]
    assert next(rows) == 3
