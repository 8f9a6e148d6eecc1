import math
import re
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.measures import alignments, bow_similarity, inversion_rate, inversions
from generation.nlp.measures import words as text_words

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


@given(words, words)
def test_the_rate_is_that_counted_pair_by_pair_from_the_definition(
    one: list[str], other: list[str]
) -> None:
    aligned = aligned_by_definition(one, other)
    pairs = list(combinations(aligned, 2))
    crossed = sum((a1 - b1) * (a2 - b2) < 0 for (a1, a2), (b1, b2) in pairs)
    assert inversion_rate(one, other) == pytest.approx(crossed / len(pairs) if pairs else 0)


@given(words, words)
def test_the_cosine_is_that_of_vectors_written_out(one: list[str], other: list[str]) -> None:
    axes = ["a", "b", "c", "the", "dog"]
    vectors = [
        [sum(word.lower() == axis for word in some) for axis in axes] for some in (one, other)
    ]
    lengths = math.prod(math.hypot(*vector) for vector in vectors)
    shared = sum(n * m for n, m in zip(*vectors, strict=True))
    expected = shared / lengths if lengths else float(one == other)
    assert bow_similarity(one, other) == pytest.approx(expected)


@given(words, st.data())
def test_equal_words_may_change_places(source: list[str], data: st.DataObject) -> None:
    other = data.draw(st.permutations(source))
    folded = [word.lower() for word in source]
    places = {word: iter(data.draw(st.permutations(places_of(folded, word)))) for word in {*folded}}
    turned = [source[next(places[word])] for word in folded]
    assert inversion_rate(turned, other) == inversion_rate(source, other)
    assert bow_similarity(turned, other) == bow_similarity(source, other)


@given(st.lists(st.integers().map(str), unique=True, min_size=2, max_size=30))
def test_backwards_everything_is_crossed(source: list[str]) -> None:
    assert inversion_rate(source, source[::-1]) == 1


@given(words)
def test_case_does_not_count(source: list[str]) -> None:
    shouted = [word.upper() for word in source]
    assert (bow_similarity(source, shouted), inversion_rate(source, shouted)) == (1, 0)


def test_words_and_marks_of_a_text_are_measured() -> None:
    assert text_words("Mara's dog, 2 cats.") == ["Mara", "'", "s", "dog", ",", "2", "cats", "."]


def places_of(source: list[str], word: str) -> list[int]:
    return [place for place, found in enumerate(source) if found == word]


def aligned_by_definition(one: list[str], other: list[str]) -> list[tuple[int, int]]:
    """The n-th occurrence of each word with its n-th occurrence in the other sentence."""
    one, other = ([word.lower() for word in some] for some in (one, other))
    return [
        pair
        for word in {*one}
        for pair in zip(places_of(one, word), places_of(other, word), strict=False)
    ]


@given(st.text(max_size=60))
def test_a_text_is_runs_of_letters_and_digits_and_single_marks(text: str) -> None:
    assert text_words(text) == re.findall(r"\w+|[^\w\s]", text)
