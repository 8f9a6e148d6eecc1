"""Words that continue a text: their number, and that they are drawn from the likeliest."""

from collections import Counter

import numpy as np
import pytest

from generation.nlp import continuation, ngram
from generation.nlp.continuation import TOP, WORD, NgramWriter, seeded_draw


@pytest.fixture(scope="module")
def model():
    return ngram.load_embedded()


@pytest.fixture(scope="module")
def writer(model):
    return NgramWriter(model)


def test_words_depend_on_the_seed_and_the_name_alone(writer):
    def words(seed, name):
        return writer.continue_("It rained all day, and", 30, seeded_draw(seed, name))

    assert words(1, "a") == words(1, "a")
    assert len({words(1, "a"), words(1, "b"), words(2, "a")}) == 3
    for number in range(20):
        found = words(0, str(number))
        assert len(found) == 30
        assert all(WORD.fullmatch(word) for word in found)


@pytest.mark.parametrize("context", [("the", "old"), (",", "and"), ("zzz", "qqq"), ("in", "the")])
def test_words_are_drawn_from_the_likeliest_of_the_whole_vocabulary(model, writer, context):
    first, second = map(model.vocabulary.id, context)
    words = np.flatnonzero([bool(WORD.fullmatch(word)) for word in model.vocabulary.words])
    ngrams = np.column_stack([np.broadcast_to([first, second], (len(words), 2)), words])
    likeliest = np.sort(model.log_probs(ngrams))[::-1][:TOP]
    numbers, log_probs = writer._likeliest(first, second)
    assert np.allclose(log_probs, likeliest)
    assert set(numbers) <= set(words)


def test_each_is_drawn_as_often_as_it_is_likely():
    draw, weights = seeded_draw(1, "a"), np.log([0.7, 0.2, 0.1])
    found = Counter(continuation.draw_index(weights, draw()) for _ in range(3000))
    assert [found[place] / 3000 for place in range(3)] == pytest.approx([0.7, 0.2, 0.1], abs=0.03)
    assert continuation.draw_index(weights, 1.0) == 2
