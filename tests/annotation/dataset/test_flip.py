from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.flip import sides

REWRITES = {f"r{number}": f"s{number}" for number in range(40)}
PARENTS: dict[str, str | None] = REWRITES | dict.fromkeys(REWRITES.values())
PAIRS = {f"p{number}": (f"s{number}", f"r{number}") for number in range(40)}


@given(st.integers(), st.sets(st.sampled_from(sorted(PAIRS))))
def test_half_of_the_originals_stand_first(seed: int, some: set[str]) -> None:
    released = sides({key: PAIRS[key] for key in some}, rewritten_from=PARENTS, seed=seed)
    assert sum(first.startswith("s") for first, _ in released.values()) == len(some) // 2


@given(st.integers(), st.sets(st.sampled_from(sorted(PAIRS))))
def test_the_order_in_which_sentences_are_given_has_no_effect(seed: int, turned: set[str]) -> None:
    given_otherwise = {key: pair[::-1] if key in turned else pair for key, pair in PAIRS.items()}
    released = sides(PAIRS, rewritten_from=PARENTS, seed=seed)
    assert sides(given_otherwise, rewritten_from=PARENTS, seed=seed) == released


@given(st.integers(), st.sampled_from(sorted(PAIRS)))
def test_a_new_pair_turns_at_most_one_other(seed: int, new: str) -> None:
    before = {key: pair for key, pair in PAIRS.items() if key != new}
    old = sides(before, rewritten_from=PARENTS, seed=seed)
    added = sides(PAIRS, rewritten_from=PARENTS, seed=seed)
    assert sum(old[key] != added[key] for key in before) <= 1


def test_a_rewrite_of_a_rewrite_counts_as_one() -> None:
    parents = {"a": None, "b": "a", "c": "b"}
    pairs = {f"p{number}": ("a", "c") for number in range(10)}
    released = sides(pairs, rewritten_from=parents, seed=0)
    assert sorted(released.values()) == [("a", "c")] * 5 + [("c", "a")] * 5


def test_pairs_without_an_original_are_turned_by_half_too() -> None:
    pairs = {f"p{number}": ("a", "b") for number in range(10)}
    released = sides(pairs, rewritten_from={}, seed=0)
    assert sorted(released.values()) == [("a", "b")] * 5 + [("b", "a")] * 5


def test_another_seed_turns_other_pairs() -> None:
    one, other = (sides(PAIRS, rewritten_from=PARENTS, seed=seed) for seed in (1, 2))
    assert one != other
