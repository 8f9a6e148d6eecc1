"""What the shape of pairs gives away: planted shortcuts are measured, and chance is not."""

from random import Random

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.proportion import proportion_confint

from annotation.stats import tree
from annotation.stats.shape import (
    MOST_POINTS,
    OF_TEXTS,
    READABLE,
    UNREADABLE,
    Shapes,
    measure_texts,
    rule_figures,
)
from evaluation import advice
from evaluation.data import Pairs
from evaluation.experiments import shape
from releases.dataset.rows import ReleasedPair, SentenceRow
from tests.evaluation.small import dataset, study_of

WORDS = [f"word{number}" for number in range(60)]


def rotated(sentence):
    return [*sentence[-3:], *sentence[:-3]]


def exchanged(sentence):
    return [sentence[0], sentence[4], *sentence[2:4], sentence[1], *sentence[5:]]


def swapped(name, count, *, rotates):
    """Pairs of equal words: `rotates` says by the label whether sentence2 is a rotation."""
    random = Random(name)
    for number in range(count):
        sentence, label = random.sample(WORDS, 8), number % 2
        other = rotated(sentence) if rotates(label, random) else exchanged(sentence)
        yield f"{name}-{number}", " ".join(sentence), " ".join(other), label


def figures(rotates, **changed):
    sets = {
        name: Pairs.from_rows(swapped(name, 300, rotates=rotates)) for name in ("train", "test")
    }
    study = study_of(dataset(**sets | changed), models=())
    assert shape.fits(study) == []
    return shape.figures(study, {})


def measured_rows(pairs):
    return np.array([measure_texts(*texts, "en") for texts in pairs.texts])


def mostly(label, random):
    """Four of five paraphrases are rotations, and one of five other pairs."""
    return (label == 1) == (random.random() < 0.8)


def by_rule(figures):
    return {rule["rule"]: rule for rule in figures["rules"]}


def test_a_set_whose_paraphrases_are_rotations_is_readable_from_its_shape():
    measured = figures(lambda label, _: label == 1)
    assert measured["verdict"] == READABLE
    assert by_rule(measured)["rotation"] == {
        "rule": "rotation", "accuracy": 1.0, "points": 0.5, "interval": [0.987357, 1.0],
    }  # fmt: skip
    assert by_rule(measured)["tree"]["accuracy"] == 1.0
    assert by_rule(measured)["length"]["points"] == 0.0
    assert "is readable from its shape" in str(advice.shape_remark(measured))


def lists_and_exchanges(name, count):
    """Pairs of equal words: those of lists in another order have the label 1."""
    random = Random(name)
    for number in range(count):
        (a, b, *rest), label = random.sample(WORDS, 8), number % 2
        link = "and" if label else "saw"
        orders = ([one, link, other, *rest] for one, other in ((a, b), (b, a)))
        yield f"{name}-{number}", *(" ".join(words).capitalize() + "." for words in orders), label


def test_a_set_whose_paraphrases_are_lists_is_readable_by_the_rule_of_lists():
    sets = {name: Pairs.from_rows(lists_and_exchanges(name, 300)) for name in ("train", "test")}
    measured = shape.figures(study_of(dataset(**sets), models=()), {})
    assert measured["verdict"] == READABLE
    points = {name: rule["points"] for name, rule in by_rule(measured).items()}
    assert points.pop("list") == points.pop("tree") == 0.5
    # No other rule sees the word between the exchanged ones.
    assert max(points.values()) <= MOST_POINTS


@pytest.mark.parametrize(
    ("language", "expected"), [("en", False), ("de-AT", True), ("", False), ("xx", False)]
)
def test_lists_are_told_by_the_conjunctions_of_the_language(language, expected):
    pair = "Hunde und Katzen schlafen.", "Katzen und Hunde schlafen."
    assert dict(zip(OF_TEXTS, measure_texts(*pair, language), strict=True))["list"] == expected


def test_a_set_whose_shapes_have_both_labels_alike_is_not_readable():
    measured = figures(lambda _, random: random.random() < 0.5)
    assert measured["verdict"] == UNREADABLE
    assert max(rule["points"] for rule in measured["rules"]) <= MOST_POINTS
    assert str(advice.shape_remark(measured)).startswith("Not readable")


def test_a_rule_that_gives_a_rare_label_away_makes_a_set_readable():
    labels = np.array([at % 10 == 0 for at in range(200)], dtype=np.int8)
    features = {"rotation": [*labels.astype(float)], "length": [8.0] * 200}
    shapes = Shapes(features, (), labels)
    measured = rule_figures((shapes, shapes))
    assert by_rule(measured)["rotation"]["points"] == measured["most_points"] * 2 == 0.1
    assert measured["verdict"] == READABLE


def test_a_rule_that_chance_may_explain_is_not_called_readable():
    test = Pairs.from_rows(swapped("few", 8, rotates=lambda label, _: label == 1))
    assert figures(lambda label, _: label == 1, test=test.take(range(3)))["verdict"] == "unclear"


def test_kinds_that_a_table_has_are_a_rule():
    kinds = {
        f"{name}-{at}": ["noun", "date"][at % 2] for name in ("train", "test") for at in range(300)
    }
    chance = figures(lambda _, random: random.random() < 0.5, columns={"kind": kinds})
    assert by_rule(chance)["kind"]["accuracy"] == 1.0
    assert "kind" not in by_rule(figures(lambda label, _: label == 1))


def test_the_side_of_the_source_is_a_rule_where_it_is_known():
    sentences = (SentenceRow("s", "a", "s"), SentenceRow("r", "b", "s", rewritten_from="s"))
    sides = [("r", "s"), ("s", "r")]
    known = {
        key: ReleasedPair(key, *sides[at % 2])
        for name in ("train", "test") for at in range(300) for key in [f"{name}-{at}"]
    }  # fmt: skip
    measured = figures(lambda _, random: random.random() < 0.5, sentences=sentences, known=known)
    assert by_rule(measured)["side"]["accuracy"] == 1.0


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("In 1990, Anna met Paul.", "Anna met Paul in 1990.", True),
        ("Anna met Paul in 1990.", "Anna met Paul in 1990!", False),
        ("Anna met Paul.", "Paul met Anna.", False),
        ("Anna met Paul.", "Met Paul, Anna saw.", False),
    ],
)
def test_a_rotation_is_told_whatever_the_commas_and_capitals(first, second, expected):
    features = dict(zip(OF_TEXTS, measure_texts(first, second, "en"), strict=True))
    assert features["rotation"] == expected


# Seeds without equally good splits, of which scikit-learn draws one.
@pytest.mark.parametrize("seed", [0, 2, 3, 5])
@pytest.mark.parametrize("depth", [2, 4])
def test_a_tree_predicts_as_that_of_scikit_learn(seed, depth):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(400, 5))
    labels = (rows[:, 0] * rows[:, 1] + random.normal(0, 0.4, 400) > 0).astype(np.int8)
    train, train_labels = rows[:200], labels[:200]
    ours = tree.predict(tree.grow(train, train_labels, depth=depth), rows[200:])
    reference = DecisionTreeClassifier(
        max_depth=depth, min_samples_leaf=tree.LEAST_IN_LEAF, random_state=0
    )
    assert ours.tolist() == reference.fit(train, train_labels).predict(rows[200:]).tolist()


def test_the_tree_over_all_features_is_as_accurate_as_that_of_scikit_learn():
    sets = [Pairs.from_rows(swapped(name, 300, rotates=mostly)) for name in ("train", "test")]
    train, test = (measured_rows(pairs) for pairs in sets)
    reference = DecisionTreeClassifier(max_depth=4, min_samples_leaf=5, random_state=0)
    accuracy = reference.fit(train, sets[0].labels).score(test, sets[1].labels)
    assert by_rule(figures(mostly))["tree"]["accuracy"] == pytest.approx(accuracy, abs=0.02)


def test_figures_of_each_rule_equal_those_of_scikit_learn_and_statsmodels():
    sets = [Pairs.from_rows(swapped(name, 300, rotates=mostly)) for name in ("train", "test")]
    columns = [measured_rows(pairs).T for pairs in sets]
    rules = by_rule(figures(mostly))
    for place, name in enumerate(OF_TEXTS):
        train, test = (column[place][:, None] for column in columns)
        reference = DecisionTreeClassifier(max_depth=2, min_samples_leaf=5, random_state=0)
        accuracy = reference.fit(train, sets[0].labels).score(test, sets[1].labels)
        # Equally good thresholds may decide a few pairs otherwise.
        assert rules[name]["accuracy"] == pytest.approx(accuracy, abs=0.02), name
        right = round(300 * rules[name]["accuracy"])
        interval = proportion_confint(right, 300, method="wilson")
        assert rules[name]["interval"] == pytest.approx(interval, abs=1e-5)
        assert rules[name]["points"] == pytest.approx(rules[name]["accuracy"] - 0.5)
