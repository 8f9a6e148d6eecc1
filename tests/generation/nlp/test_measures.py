import math
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.measures import alignments, bow_similarity, inversion_rate, inversions

words = st.lists(st.sampled_from(["a", "b", "c", "A", "the", "dog"]), max_size=12)


def test_inversion_rate_of_the_papers_example() -> None:
    source = ["On", "April", "2", "Jenkins", "married", "Ivy", "Vujic"]
    other = ["Jenkins", "married", "Ivy", "on", "April", "2"]
    assert inversion_rate(source, other) == pytest.approx(0.6)


def test_the_third_dog_stays_unaligned_when_the_other_sentence_has_two() -> None:
    assert alignments(["dog", "a", "dog", "dog"], ["dog", "Dog"]) == [(0, 0), (2, 1)]


def test_the_cosine_is_that_of_word_counts() -> None:
    assert bow_similarity(["a", "a", "b"], ["A", "c"]) == pytest.approx(2 / math.sqrt(5 * 2))


@pytest.mark.parametrize(("one", "other", "similarity"), [([], [], 1.0), ([], ["a"], 0.0)])
def test_similarity_with_nothing(one: list[str], other: list[str], similarity: float) -> None:
    assert bow_similarity(one, other) == similarity


@given(words, st.randoms(use_true_random=False))
def test_another_order_keeps_the_bag_of_words(source: list[str], random: Random) -> None:
    shuffled = random.sample(source, len(source))
    assert bow_similarity(source, shuffled) == 1.0
    assert len(alignments(source, shuffled)) == len(source)


@given(words, words)
def test_measures_are_symmetric_and_within_bounds(one: list[str], other: list[str]) -> None:
    for measure in (bow_similarity, inversion_rate):
        assert measure(one, other) == pytest.approx(measure(other, one))
        assert 0 <= measure(one, other) <= 1 + 1e-12


@given(words)
def test_a_sentence_has_no_inversion_with_itself(source: list[str]) -> None:
    assert inversion_rate(source, source) == 0


@given(st.lists(st.integers(), unique=True, max_size=30))
def test_inversions_are_those_counted_pair_by_pair(places: list[int]) -> None:
    assert inversions(places) == sum(a > b for a, b in combinations(places, 2))
