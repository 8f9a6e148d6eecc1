from typing import NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.flip import sides


class Pair(NamedTuple):
    id: str
    sentence1: str
    sentence2: str


REWRITES = {f"r{number}": f"s{number}" for number in range(40)}
PARENTS: dict[str, str | None] = REWRITES | dict.fromkeys(REWRITES.values())
PAIRS = [Pair(f"p{number}", f"s{number}", f"r{number}") for number in range(40)]


def released(pairs: list[Pair], seed: int, parents: dict[str, str | None] = PARENTS) -> list[Pair]:
    ends = sides(pairs, rewritten_from=parents, seed=seed)
    return [Pair(pair.id, *end) for pair, end in zip(pairs, ends, strict=True)]


@given(st.integers(), st.integers(0, 40))
def test_half_of_the_originals_stand_first(seed: int, number: int) -> None:
    first = [pair.sentence1.startswith("s") for pair in released(PAIRS[:number], seed)]
    assert sum(first) == number // 2


@given(st.integers(), st.sets(st.sampled_from(PAIRS)))
def test_the_order_in_which_sentences_are_given_has_no_effect(seed: int, turned: set[Pair]) -> None:
    others = [Pair(p.id, p.sentence2, p.sentence1) if p in turned else p for p in PAIRS]
    assert released(others, seed) == released(PAIRS, seed)


@given(st.integers())
def test_a_new_pair_turns_at_most_one_other(seed: int) -> None:
    before, after = released(PAIRS[:-1], seed), released(PAIRS, seed)
    assert sum(old != new for old, new in zip(before, after, strict=False)) <= 1


def test_a_rewrite_of_a_rewrite_counts_as_one() -> None:
    parents = {"a": None, "b": "a", "c": "b"}
    ends = [pair[1:] for pair in released([Pair(f"p{n}", "a", "c") for n in range(10)], 0, parents)]
    assert sorted(ends) == [("a", "c")] * 5 + [("c", "a")] * 5


def test_pairs_without_an_original_are_turned_by_half_too() -> None:
    ends = [pair[1:] for pair in released([Pair(f"p{n}", "a", "b") for n in range(10)], 0, {})]
    assert sorted(ends) == [("a", "b")] * 5 + [("b", "a")] * 5


def test_another_seed_turns_other_pairs() -> None:
    assert released(PAIRS, 1) != released(PAIRS, 2)
