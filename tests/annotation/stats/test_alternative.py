"""The alternative annotator test, beside scipy, a count by hand and the rule of the authors."""

from collections import Counter
from math import sqrt
from random import Random

import pytest
from scipy import stats

from annotation.stats.alternative import alternative_test, discoveries, share_below
from annotation.stats.labels import SAME_OR_DIFFERENT, Label, Level, Rule, Scheme

NLI = Scheme(tuple(map(Label, range(3), ("follows", "unclear", "not"))), Level.NOMINAL, Rule.MOST)
FAR = tuple(map(Label, (-5, 0, 1), ("low", "middle", "high")))
MEAN = Scheme(FAR, Level.INTERVAL, Rule.MEAN, border=0)
DISTRIBUTION = Scheme(FAR, Level.ORDINAL, Rule.NONE, border=0)


def compared(pairs, scheme):
    """Count pairs, each the answers by person and the model's label, as `alternative_test` does."""
    counts = Counter()
    for answers, models in pairs:
        tally = tuple(list(answers.values()).count(place) for place in range(scheme.size))
        for person, own in answers.items():
            counts[person, tally, own, models] += 1
    return counts


def example(wrong_at):
    """60 pairs, 3 people who err at other pairs, and a model that errs at each `wrong_at`-th."""
    pairs = []
    for i in range(60):
        answers = {h: (i + ((i * k + h) % 7 == 0)) % 2 for h, k in {1: 3, 2: 5, 3: 11}.items()}
        pairs.append((answers, (i + (i % wrong_at == 0)) % 2))
    return compared(pairs, SAME_OR_DIFFERENT)


def test_a_good_model_passes_in_place_of_trained_people_only():
    figures = alternative_test(example(10), SAME_OR_DIFFERENT)
    assert figures.advantage == pytest.approx(0.9333, abs=1e-4)
    p_values = [person.p_values[0] for person in figures.people]
    assert p_values == pytest.approx([0.001594, 0.154438, 0.154438], abs=1e-6)
    rates = [(verdict.winning_rate, verdict.passed) for verdict in figures.verdicts]
    assert rates == [(pytest.approx(1 / 3), False), (1, True), (1, True)]


def test_a_worse_model_beats_nobody():
    figures = alternative_test(example(3), SAME_OR_DIFFERENT)
    assert figures.advantage == pytest.approx(0.7667, abs=1e-4)
    assert [verdict.winning_rate for verdict in figures.verdicts] == [0, 0, 0]


@pytest.mark.parametrize("scheme", [SAME_OR_DIFFERENT, NLI, MEAN, DISTRIBUTION], ids=str)
def test_scores_equal_those_of_the_paper_pair_by_pair(scheme):
    random = Random(4)
    pairs = []
    for _ in range(90):
        people = random.sample("abcde", random.randint(2, 5))
        answers = {person: random.randrange(scheme.size) for person in people}
        pairs.append((answers, random.randrange(scheme.size)))

    def score(label, others):
        if scheme.is_ordered:
            values = [(scheme.value(label) - scheme.value(other)) ** 2 for other in others]
            return -sqrt(sum(values) / len(others))
        return sum(label == other for other in others) / len(others)

    figures = alternative_test(compared(pairs, scheme), scheme)
    assert len(figures.people) == 5
    for person in figures.people:
        scores = []
        for answers, models in pairs:
            if person.person in answers:
                others = [label for key, label in answers.items() if key != person.person]
                scores.append((score(answers[person.person], others), score(models, others)))
        differences = [(own >= models) - (models >= own) for own, models in scores]
        tests = [
            stats.ttest_1samp(differences, epsilon, alternative="less").pvalue
            for epsilon in (0.1, 0.15, 0.2)
        ]
        assert person.pairs == len(scores)
        assert person.advantage == pytest.approx(sum(m >= o for o, m in scores) / len(scores))
        assert person.p_values == pytest.approx(tests, abs=1e-12)


def test_a_model_that_always_agrees_as_well_as_people_passes():
    pairs = [({"a": i % 2, "b": i % 2, "c": i % 2}, i % 2) for i in range(30)]
    figures = alternative_test(compared(pairs, SAME_OR_DIFFERENT), SAME_OR_DIFFERENT)
    assert [person.p_values for person in figures.people] == [(0, 0, 0)] * 3
    assert all(verdict.passed for verdict in figures.verdicts)


def test_with_fewer_than_three_people_there_is_no_verdict():
    both, alone = {"a": 0, "b": 0}, {"d": 1}
    pairs = [(both, 0)] * 30 + [(both | {"c": 0}, 0)] * 29 + [(alone, 1)] * 40
    figures = alternative_test(compared(pairs, SAME_OR_DIFFERENT), SAME_OR_DIFFERENT)
    assert [person.person for person in figures.people] == ["a", "b"]
    assert figures.too_few_pairs == {"c": 29}  # nobody else judged the pairs of d
    assert (figures.verdicts, figures.advantage) == ((), None)


@pytest.mark.parametrize("degrees", [1, 2, 29, 59, 400, 3000])
def test_the_t_distribution_is_that_of_scipy(degrees):
    for t in (-40, -3.2, -1, -0.1, 0, 0.1, 1, 3.2, 40):
        assert share_below(t, degrees) == pytest.approx(stats.t.cdf(t, degrees), abs=1e-12)


def test_discoveries_are_those_of_scipy():
    random = Random(8)
    for _ in range(50):
        p_values = [random.random() ** 4 for _ in range(random.randint(1, 30))]
        adjusted = stats.false_discovery_control(p_values, method="by")
        assert discoveries(p_values) == [p <= 0.05 for p in adjusted]
