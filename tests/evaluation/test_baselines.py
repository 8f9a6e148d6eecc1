"""Models that need numpy alone: what each can tell, and what none of them can."""

import numpy as np
import pytest

from evaluation import bow, measures
from evaluation.baselines import Never, Overlap
from evaluation.bow import Bow
from evaluation.data import Pairs
from evaluation.vectors import Vectors
from support.model_pairs import order_set

# Wide enough that rounding to 32 bits hardly counts.
STEP = 5e-3
NONE = Pairs.from_rows([])
FEW = Pairs.from_rows(
    [
        ("1", "the cat saw a dog", "a dog saw the cat", 0),
        ("2", "the cat saw a dog", "the old cat met a dog", 0),
        ("3", "the cat saw a dog", "the cat saw a dog", 1),
    ]
)


def accuracy(fitted, pairs):
    return measures.confusion(pairs.labels, fitted.scores(pairs)).scores.accuracy


def words_differ(count, *, seed):
    """Paraphrases share their words, and others share none but the first."""
    rows = []
    for name, one, other, label in as_rows(order_set(count, seed=seed)):
        rows.append((name, one, one if label else f"The {other[::-1]}", label))
    return Pairs.from_rows(rows)


def as_rows(pairs):
    return zip(pairs.ids, pairs.first, pairs.second, pairs.labels.tolist(), strict=True)


def test_never_gives_the_share_of_paraphrases_in_train():
    fitted = Never().fit(FEW, FEW, seed=1)
    assert fitted.scores(FEW) == pytest.approx([1 / 3] * 3)
    assert accuracy(fitted, FEW) == pytest.approx(2 / 3)


@pytest.mark.parametrize("model", [Overlap(), Bow()], ids=["overlap", "bow"])
def test_shared_words_are_learned(model):
    fitted = model.fit(words_differ(300, seed=1), words_differ(60, seed=2), seed=1)
    assert accuracy(fitted, words_differ(100, seed=3)) == 1.0


def test_overlap_cannot_tell_who_does_what_to_whom():
    fitted = Overlap().fit(order_set(1200, seed=1), order_set(300, seed=2), seed=1)
    assert accuracy(fitted, order_set(300, seed=3)) <= 0.6


def test_overlap_reads_order_where_it_tells_something():
    rows = [
        (name, one, one if label else other, label)
        for name, one, other, label in as_rows(order_set(100, seed=1))
    ]
    fitted = Overlap().fit(Pairs.from_rows(rows), Pairs.from_rows(rows), seed=1)
    assert accuracy(fitted, Pairs.from_rows(rows)) == 1.0


@pytest.mark.parametrize("model", [Overlap(), Bow()], ids=["overlap", "bow"])
def test_shuffled_labels_teach_nothing(model):
    train, other = order_set(600, seed=1), order_set(1000, seed=3)
    shuffled = Pairs(
        train.ids, train.first, train.second, np.random.default_rng(0).permutation(train.labels)
    )
    fitted = model.fit(shuffled, shuffled.take(range(100)), seed=1)
    assert accuracy(fitted, other) == pytest.approx(0.5, abs=0.05)


def test_the_seed_decides_what_a_bag_of_words_learns():
    train, dev = order_set(200, seed=1), order_set(50, seed=2)
    first, again, other = (Bow().fit(train, dev, seed=seed).scores(dev) for seed in (1, 1, 2))
    assert (first == again).all()
    assert (first != other).any()


def test_gradients_of_the_bag_of_words_are_those_of_its_loss():
    bags = bow.Bags.from_pairs(FEW, Vectors())
    batch, draw = bags.batch(np.arange(3)), np.random.default_rng(1)
    weights = [np.float64(matrix) for matrix in bow.first_weights(64, draw)]
    slopes = bow.gradients(weights, batch, FEW.labels)
    for matrix, slope in zip(weights, slopes, strict=True):
        place = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        before, changes = matrix[place], []
        for moved in (STEP, -STEP):
            matrix[place] = before + moved
            changes.append(loss(weights, batch, FEW.labels))
        matrix[place] = before
        assert (changes[0] - changes[1]) / (2 * STEP) == pytest.approx(slope[place], rel=0.01)


def loss(weights, batch, labels):
    logits = bow.forward(weights, batch)[0]
    return np.mean(np.logaddexp(0, np.where(labels == 1, -logits, logits)))


@pytest.mark.parametrize("model", [Never(), Overlap(), Bow()], ids=["never", "overlap", "bow"])
def test_a_set_without_pairs_is_refused_and_scoring_none_gives_none(model):
    with pytest.raises(ValueError, match="train set has no pairs"):
        model.fit(NONE, FEW, seed=1)
    with pytest.raises(ValueError, match="dev set has no pairs"):
        model.fit(FEW, NONE, seed=1)
    assert len(model.fit(FEW, FEW, seed=1).scores(NONE)) == 0


def test_the_caller_is_told_of_steps_up_to_the_last():
    told = []
    Bow().fit(FEW, FEW, seed=1, tell=lambda done, most: told.append((done, most)))
    assert told[0] == (1, 20)
    assert told[-1] == (20, 20)


def test_a_bag_of_words_learns_from_texts_without_neighbouring_words():
    some = Pairs.from_rows([("1", "yes", "no", 0), ("2", "yes", "", 1)])
    assert Bow().fit(some, some, seed=0).scores(some).shape == (2,)
