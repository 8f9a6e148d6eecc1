import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.dataset.rows import SentenceRow
from annotation.dataset.split import (
    Family,
    Size,
    connections,
    families,
    split_families,
    wanted_sizes,
)

counts = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=40)
shares = st.floats(0, 0.5)


def numbered(some: list[tuple[int, int]]) -> list[Family]:
    return [Family(f"f{number}", *count) for number, count in enumerate(some)]


def drawn_splits(
    some: list[Family],
    *,
    dev: int | float,
    test: int | float,
    seed: int = 4,
    train_only: frozenset[str] = frozenset(),
) -> dict[str, str]:
    wanted = wanted_sizes(some, dev=dev, test=test)
    return dict(split_families(some, wanted, seed=seed, train_only=train_only))


def sizes(some: list[Family], splits: dict[str, str]) -> dict[str, int]:
    return {
        split: sum(family.size for family in some if splits[family.key] == split)
        for split in ("train", "dev", "test")
    }


@given(counts, shares, shares, st.integers())
def test_dev_and_test_come_within_one_family_of_their_size(
    some: list[tuple[int, int]], dev: float, test: float, seed: int
) -> None:
    drawn = numbered(some)
    total = sum(family.size for family in drawn)
    assume(round(dev * total) + round(test * total) <= total)
    splits = drawn_splits(drawn, dev=dev, test=test, seed=seed)
    left = [f.size for f in drawn if f.size and splits[f.key] == "train"]
    for split, share in (("dev", dev), ("test", test)):
        lacking = round(share * total) - sizes(drawn, splits)[split]
        assert lacking >= 0
        assert not left or lacking < min(left)


def test_numbers_are_met_exactly_where_families_are_small() -> None:
    drawn = numbered([(1, 1), (2, 0), (0, 1), (3, 1)] * 50)
    splits = drawn_splits(drawn, dev=80, test=90)
    assert sizes(drawn, splits) == {"train": 280, "dev": 80, "test": 90}


def test_paraphrases_are_as_frequent_in_dev_and_test_as_in_all() -> None:
    drawn = numbered([(1, 0)] * 300 + [(0, 1)] * 200)
    splits = drawn_splits(drawn, dev=50, test=100)
    assert sum(f.positives for f in drawn if splits[f.key] == "test") == 40
    assert sum(f.positives for f in drawn if splits[f.key] == "dev") == 20


def test_families_for_train_only_are_not_drawn() -> None:
    drawn = numbered([(1, 1)] * 20)
    kept = frozenset(f"f{number}" for number in range(10))
    splits = drawn_splits(drawn, dev=10, test=10, train_only=kept)
    assert {splits[key] for key in kept} == {"train"}
    assert sizes(drawn, splits) == {"train": 20, "dev": 10, "test": 10}


@given(st.integers())
def test_a_new_family_moves_few_others(seed: int) -> None:
    drawn = numbered([(1, 1)] * 100)
    before = drawn_splits(drawn[:-1], dev=20, test=20, seed=seed)
    after = drawn_splits(drawn, dev=20, test=20, seed=seed)
    assert sum(before[key] != after[key] for key in before) <= 2


def test_more_than_there_is_is_refused() -> None:
    with pytest.raises(ValueError, match="more than all 4 pairs"):
        wanted_sizes(numbered([(2, 2)]), dev=3, test=2)


def test_two_halves_of_an_odd_number_are_not_more_than_all() -> None:
    wanted = wanted_sizes(numbered([(1, 0)] * 3), dev=0.5, test=0.5)
    assert {split: size.pairs for split, size in wanted.items()} == {"test": 2, "dev": 1}


def test_sizes_are_stratified_by_label() -> None:
    wanted = wanted_sizes(numbered([(3, 1)] * 10), dev=8, test=0.5)
    assert wanted == {"test": Size(15, 5), "dev": Size(6, 2)}


def test_a_family_larger_than_dev_and_test_stays_in_train() -> None:
    drawn = numbered([(30, 20), *[(1, 0)] * 30, *[(0, 1)] * 20])
    splits = drawn_splits(drawn, dev=20, test=20)
    assert splits["f0"] == "train"
    assert sizes(drawn, splits) == {"train": 60, "dev": 20, "test": 20}


def test_where_all_is_one_family_dev_and_test_stay_empty() -> None:
    drawn = numbered([(30, 20)])
    assert sizes(drawn, drawn_splits(drawn, dev=0.2, test=0.2)) == {
        "train": 50,
        "dev": 0,
        "test": 0,
    }


def test_where_labels_do_not_allow_it_sizes_come_first() -> None:
    drawn = numbered([*[(4, 0)] * 10, (0, 40)])
    splits = drawn_splits(drawn, dev=0, test=20)
    assert sizes(drawn, splits) == {"train": 60, "dev": 0, "test": 20}
    assert all(family.negatives for family in drawn if splits[family.key] == "test")


def test_nothing_splits_into_nothing() -> None:
    assert drawn_splits([], dev=0.1, test=0.1) == {}


def test_pairs_of_equal_sentences_do_not_count() -> None:
    rows = [("f", "a", "a", 1), ("f", "a", "b", 0), ("f", "b", "c", 1), ("g", "d", "d", 1)]
    assert families(rows) == [Family("f", 1, 1), Family("g", 0, 0)]


def test_texts_sources_groups_and_pairs_connect() -> None:
    rows = [
        SentenceRow("1", "a", "1"),
        SentenceRow("2", "b", "1", "1"),
        SentenceRow("3", "b", "3"),
        SentenceRow("4", "c", "4", group="g"),
        SentenceRow("5", "d", "5", group="g"),
        SentenceRow("6", "e", "6"),
    ]
    connected = connections(rows, [], {row.id: row.text for row in rows})
    assert [connected.find(row.text) for row in rows] == ["a", "a", "a", "c", "c", "e"]
