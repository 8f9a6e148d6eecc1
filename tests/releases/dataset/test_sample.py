"""The pairs that stand for a release on its page."""

from releases.dataset.rows import ReleasedPair
from releases.dataset.sample import draw, draw_pairs


def pairs(split, labels, subset="labeled_final"):
    return [
        ReleasedPair(f"{split}{number}", "a", "b", label=label, subset=subset, split=split)
        for number, label in enumerate(labels)
    ]


def test_each_label_is_drawn_twice_where_there_are_as_many():
    labels = {f"p{number}": int(number < 97) for number in range(100)}
    for seed in range(5):
        drawn = draw(labels, 10, seed=seed)
        assert len(set(drawn)) == 10
        assert [labels[key] for key in drawn].count(0) >= 2
    assert len(draw({"a": 1, "b": 1, "c": 0}, 10, seed=0)) == 3


def test_the_seed_decides_whatever_the_order_of_the_rows():
    labels = {f"p{number}": number % 2 for number in range(40)}
    other_order = dict(sorted(labels.items(), reverse=True))
    assert draw(labels, 10, seed=7) == draw(other_order, 10, seed=7)
    assert draw(labels, 10, seed=7) != draw(labels, 10, seed=8)


def test_pairs_of_the_test_set_come_before_those_of_dev_and_train():
    train, dev = pairs("train", [0, 1]), pairs("dev", [1])
    low = pairs("test", [0], subset="low_agreement")
    assert [pair.split for pair in draw_pairs([*train, *dev, *low], "labeled_final", seed=0)] == [
        "dev"
    ]
    assert len(draw_pairs(train, "labeled_final", seed=0)) == 2
    assert draw_pairs(low, "labeled_final", seed=0) == ()
