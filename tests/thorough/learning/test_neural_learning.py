"""What each network learns, in as long as that takes; esim in tests/evaluation."""

import numpy as np
import pytest

from evaluation.models_by_name import NETWORKS, model
from support.model_pairs import order_set, word_swaps
from tests.evaluation.test_neural_networks import (
    DEV,
    SMALL,
    SMALL_DEV,
    TRAIN,
    accuracy,
    short,
    shuffled,
)
from tests.evaluation.test_pretraining import noisy


@pytest.mark.parametrize("name", ["bilstm", "esim_attention", "diin"])
def test_who_does_what_to_whom_is_learned_by_models_that_see_word_order(name):
    assert accuracy(model(name).fit(TRAIN, DEV, seed=1)) >= 0.95


@pytest.mark.parametrize("name", sorted({*NETWORKS} - {"esim"}))
def test_shuffled_labels_teach_nothing(name):
    fitted = short(name, epochs=3).fit(shuffled(SMALL), shuffled(SMALL_DEV), seed=1)
    assert accuracy(fitted, order_set(2000, seed=4)) == pytest.approx(0.5, abs=0.03)


def test_attention_without_word_order_does_not_learn_it():
    """In as many epochs as the others need."""
    assert accuracy(short("decatt", epochs=6).fit(TRAIN, DEV, seed=1)) <= 0.6


def test_a_small_set_with_twice_as_many_paraphrases_is_learned():
    """The first epochs call all pairs paraphrases; they are equally accurate, but gain in loss."""
    train, dev, test = (uneven(size, seed) for seed, size in enumerate((240, 80, 300), start=1))
    assert accuracy(model("esim").fit(train, dev, seed=1), test) >= 0.8


def uneven(count, seed):
    """Pairs of which two of three are paraphrases."""
    swaps = word_swaps(count, seed=seed)
    others = np.flatnonzero(swaps.labels == 0)[: count // 4]
    return swaps.take([*np.flatnonzero(swaps.labels == 1), *others])


def test_noisy_labels_help_where_few_pairs_were_judged():
    silver, dev, test = (
        noisy(order_set(1000, seed=1), 0.1),
        *(order_set(200, seed=s) for s in (2, 3)),
    )
    judged, esim = order_set(40, seed=4), model("esim")
    assert accuracy(esim.fit(judged, dev, seed=1), test) <= 0.75
    assert accuracy(esim.fit_in_turn([silver, judged], dev, seed=1), test) >= 0.9
