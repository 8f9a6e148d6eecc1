from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from generation.nlp.vocabulary import BOS
from tests.generation.nlp.kneser_ney import KneserNey
from tests.generation.nlp.trained import KEEP_ALL, arrays, model, texts, words_of


@settings(deadline=None, max_examples=40)
@given(texts)
def test_an_unpruned_model_is_interpolated_modified_kneser_ney(sentences: list[list[str]]) -> None:
    trained = model(sentences)
    words = trained.vocabulary.words
    reference = KneserNey(sentences, words[1:])
    pairs = product([BOS, *words[3:]], words[3:])
    events = [(*pair, word) for pair in [(BOS, BOS), *pairs] for word in words[1:]]
    rows = np.array([[words.index(word) for word in event] for event in events])
    expected = [reference.probability(event[:2], event[2]) for event in events]
    assert np.exp(trained.log_probs(rows)) == pytest.approx(np.array(expected))


def test_a_stronger_threshold_keeps_fewer_ngrams() -> None:
    thresholds = (KEEP_ALL, 0.8, 9)
    kept = [len(arrays(words_of(), worth=worth)[1].trigram_gain) for worth in thresholds]
    assert kept[0] > kept[1] > kept[2] == 0


def test_trigrams_seen_less_often_than_asked_go_and_bigrams_stay() -> None:
    kept = [arrays(words_of(), trigram_count=count)[1] for count in (1, 2)]
    assert len(kept[0].trigram_gain) > len(kept[1].trigram_gain) > 0
    assert len(kept[0].bigram_gain) == len(kept[1].bigram_gain)


def test_a_pruned_bigrams_occurrences_make_its_last_word_more_probable_alone() -> None:
    sentences = words_of(["a dog . dog . dog ."] * 3 + ["cat a a"])
    full, pruned = model(sentences), model(sentences, worth=1000)
    dog = full.ids(["dog"])
    gain = pruned.table(dog)[0, 0, 0] - full.table(dog)[0, 0, 0]
    assert gain > 0
