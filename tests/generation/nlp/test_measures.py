"""How alike two sentences are, here and in a process of its own."""

import math
import re
import signal
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generation.nlp.measures import alignments, bow_similarity, inversion_rate
from generation.nlp.measures import words as text_words
from generation.nlp.measuring import Assistant, likenesses

words = st.lists(st.sampled_from(["a", "b", "c", "A", "the", "dog"]), max_size=12)


def test_the_measures_of_the_papers_examples():
    source = ["On", "April", "2", "Jenkins", "married", "Ivy", "Vujic"]
    other = ["Jenkins", "married", "Ivy", "on", "April", "2"]
    assert inversion_rate(source, other) == pytest.approx(9 / 15)
    assert alignments(["dog", "a", "dog", "dog"], ["dog", "Dog"]) == [(0, 0), (2, 1)]
    assert bow_similarity(["a", "a", "b"], ["A", "c"]) == pytest.approx(2 / math.sqrt(5 * 2))
    assert (bow_similarity([], []), bow_similarity([], ["a"])) == (1.0, 0.0)


@given(words, st.randoms(use_true_random=False))
def test_another_order_or_case_keeps_the_bag_of_words(source, random):
    shuffled = random.sample([word.upper() for word in source], len(source))
    assert bow_similarity(source, shuffled) == 1.0
    assert len(alignments(source, shuffled)) == len(source)


def aligned_by_definition(one, other):
    """The n-th occurrence of each word with its n-th occurrence in the other sentence."""
    places = [{}, {}]
    for found, some in zip(places, (one, other), strict=True):
        for place, word in enumerate(map(str.lower, some)):
            found.setdefault(word, []).append(place)
    found = (zip(places[0][w], places[1].get(w, ()), strict=False) for w in places[0])
    return [pair for pairs in found for pair in pairs]


@given(words, words)
def test_the_measures_are_those_of_their_definitions_and_symmetric(one, other):
    pairs = list(combinations(aligned_by_definition(one, other), 2))
    crossed = sum((a1 - b1) * (a2 - b2) < 0 for (a1, a2), (b1, b2) in pairs)
    rate = crossed / len(pairs) if pairs else 0
    axes = ["a", "b", "c", "the", "dog"]
    vectors = [[sum(word.lower() == axis for word in w) for axis in axes] for w in (one, other)]
    lengths = math.prod(math.hypot(*vector) for vector in vectors)
    shared = sum(n * m for n, m in zip(*vectors, strict=True))
    cosine = shared / lengths if lengths else float(one == other)
    for first, second in ((one, other), (other, one)):
        assert inversion_rate(first, second) == pytest.approx(rate)
        assert bow_similarity(first, second) == pytest.approx(cosine)
        assert 0 <= bow_similarity(first, second) <= 1 + 1e-12


@given(st.text(max_size=60))
def test_a_text_is_runs_of_letters_and_digits_and_single_marks(text):
    assert text_words(text) == re.findall(r"\w+|[^\w\s]", text)
    assert text_words("Mara's dog.") == ["Mara", "'", "s", "dog", "."]


def test_another_process_measures_as_this_one_does_until_it_ends():
    pairs = [
        ("A cat sees a dog.", "A dog sees a cat."),
        ("Zoë naïvely met 東京.", "東京 met Zoë \u2028 “naïvely”."),
        ("One.", "Two."),
    ]
    more_than_a_pipe_holds = [(f"{n} {'word ' * 50}", f"{n} {'thing ' * 50}") for n in range(2000)]
    with Assistant() as assistant:
        for some in (pairs, [], more_than_a_pipe_holds):
            assistant.give(some)
            assert assistant.take() == likenesses(some)
        assistant._process.kill()
        assistant._process.wait()
        with pytest.raises(RuntimeError, match="ended with -9"):
            assistant.give(more_than_a_pipe_holds)
        with pytest.raises(RuntimeError, match="ended with -9"):
            assistant.take()
    with Assistant() as assistant:
        assistant.give(more_than_a_pipe_holds)  # and takes no answer
    assert assistant._process.returncode == -signal.SIGKILL
