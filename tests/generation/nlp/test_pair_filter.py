from collections import Counter
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.pair_filter import PairFilter, TextPair, Verdict

LETTERS = list("abcdefghij")

sentences = st.lists(st.sampled_from(LETTERS[:4]), min_size=1, max_size=5).map(" ".join)
pairs = st.lists(st.tuples(sentences, sentences), max_size=30)
filters = st.builds(
    PairFilter,
    min_similarity=st.sampled_from([0.0, 0.5, 0.9, 1.0]),
    reordered_above=st.sampled_from([0.0, 0.02, 0.3]),
    reordered_share=st.sampled_from([0.0, 0.3, 0.5, 0.9, 1.0]),
    seed=st.integers(0, 2**63 - 1),
)


def reordered(number: int) -> list[TextPair]:
    """So many pairs of the same words in another order."""
    return [(f"a b {n}", f"b a {n}") for n in range(number)]


def reworded(number: int) -> list[TextPair]:
    """So many pairs with one word in ten another, in the same order: a similarity of 0.9."""
    words = " ".join(LETTERS[:9])
    return [(f"{words} x{n}", f"{words} y{n}") for n in range(number)]


def kept(rule: PairFilter, some: list[TextPair]) -> set[TextPair]:
    verdicts = zip(some, rule.verdicts(some), strict=True)
    return {pair for pair, verdict in verdicts if verdict is Verdict.KEPT}


def test_a_pair_that_is_exactly_similar_enough_is_kept() -> None:
    rule = PairFilter(reordered_share=0)
    assert rule.verdicts(reworded(1)) == [Verdict.KEPT]


def test_a_pair_below_the_similarity_is_dropped_however_it_is_ordered() -> None:
    assert PairFilter().verdicts([("a b c", "c b x")]) == [Verdict.BELOW_SIMILARITY]


def test_all_reordered_pairs_are_kept_and_as_many_of_the_others() -> None:
    some = reworded(30) + reordered(7)
    found = kept(PairFilter(), some)
    assert found >= set(reordered(7))
    assert len(found) == 14


def test_without_reordered_pairs_none_is_drawn() -> None:
    assert set(PairFilter().verdicts(reworded(3))) == {Verdict.NOT_DRAWN}


def test_the_papers_bound_is_one_inversion_in_fifty() -> None:
    # One crossing of the 45 pairs of ten alignments: 0.022; of the 55 pairs of eleven: 0.018.
    ten = ("a b c d e f g h i j", "b a c d e f g h i j")
    eleven = (f"{ten[0]} k", f"{ten[1]} k")
    assert PairFilter().is_reordered(ten)
    assert not PairFilter().is_reordered(eleven)


@pytest.mark.parametrize(
    ("share", "others"), [(0.0, 30), (0.25, 18), (0.5, 6), (0.75, 2), (1.0, 0)]
)
def test_the_share_is_a_setting(share: float, others: int) -> None:
    found = kept(PairFilter(reordered_share=share), reordered(6) + reworded(30))
    assert len(found) == 6 + others


def test_the_seed_draws() -> None:
    some = reordered(5) + reworded(40)
    drawn = Counter(
        pair for seed in range(200) for pair in kept(PairFilter(seed=seed), some) - {*some[:5]}
    )
    assert set(drawn) == set(reworded(40))
    assert max(drawn.values()) < 60  # 25 are expected of each


@given(filters, pairs, st.randoms(use_true_random=False))
def test_the_order_of_pairs_has_no_effect(rule: PairFilter, some: list[TextPair], random) -> None:
    assert kept(rule, random.sample(some, len(some))) == kept(rule, some)


@given(filters, pairs)
def test_reordered_pairs_have_their_share_of_what_is_kept(
    rule: PairFilter, some: list[TextPair]
) -> None:
    found = kept(rule, some)
    many = sum(map(rule.is_reordered, found))
    assert many >= rule.reordered_share * len(found) - 1e-9
    left = {pair for pair in set(some) - found if rule.is_alike(pair)}
    assert not any(map(rule.is_reordered, left))
    if left:  # one more would have been too many
        assert len(found) - many == floor(many / rule.reordered_share - many + 1e-9)


@given(pairs)
def test_a_lenient_filter_keeps_everything(some: list[TextPair]) -> None:
    assert set(PairFilter.lenient().verdicts(some)) <= {Verdict.KEPT}


@pytest.mark.parametrize("name", ["min_similarity", "reordered_above", "reordered_share"])
@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_values_out_of_bounds_are_refused(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=name):
        PairFilter(**{name: value})
