"""The plan of a study against the exact probabilities of all its histories."""

import time
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from annotation.projects.labels import GRADES
from annotation.stats.consensus import Protocol, decide_tally
from annotation.stats.labels import Label, Level, Rule, Scheme
from annotation.stats.planning import BadPlan, Study, plan

COLOURS = [Label(place, name) for place, name in enumerate(("red", "green", "blue"))]
DEGREES = [Label(value, f"degree {value}") for value in range(-2, 3)]
MOST = Scheme(tuple(COLOURS), Level.NOMINAL, Rule.MOST)
MEAN = Scheme(tuple(DEGREES), Level.INTERVAL, Rule.MEAN, 0)
PROTOCOLS = {
    "paws": Protocol(),
    "early": Protocol(decides_early=True),
    "grades": Protocol(3, 2, GRADES),
    "most": Protocol(5, 3, MOST),
    "as needed": Protocol(3, 3, judgments_at_most=7),
    "grades as needed": Protocol(3, 2, GRADES, judgments_at_most=5),
    "most as needed": Protocol(5, 3, MOST, judgments_at_most=9),
    "most, early": Protocol(6, 3, MOST, decides_early=True),
}


def chances(scheme, truth, error):
    """The probability of each label in one answer."""
    ordered = 0.5 if scheme.level is not Level.NOMINAL else 1.0
    weights = [ordered ** abs(label - truth) for label in range(scheme.size)]
    others = sum(weights) - weights[truth]
    return [
        1 - error if label == truth else error * weight / others
        for label, weight in enumerate(weights)
    ]


def expected(protocol, truth, error):
    """The probabilities that a pair is kept, and kept with the right label, and its answers."""
    labels = chances(protocol.scheme, truth, error)

    @cache
    def after(tally):
        decision = decide_tally(tally, protocol)
        if decision.decided:
            is_right = decision.kept and decision.label == protocol.scheme.outcome(truth)
            return np.array([decision.kept, is_right, sum(tally)], dtype=float)
        following = np.array(tally) + np.eye(len(labels), dtype=int)
        return sum(
            chance * after(tuple(tally.tolist()))
            for chance, tally in zip(labels, following, strict=True)
        )

    return after((0,) * len(labels))


def exact(study):
    """The shares of kept pairs and of right ones among them, and the mean number of answers."""
    kinds = [(study.error, 1 - study.hard_share), (study.hard_error, study.hard_share)]
    labels = range(study.protocol.scheme.size)
    kept, right, answers = sum(
        share / len(labels) * expected(study.protocol, truth, error)
        for truth in labels
        for error, share in kinds
    )
    return kept, right / kept, answers


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_plan_is_within_half_a_point_of_the_exact_shares(name):
    study = Study(pairs=1000, people=10, protocol=PROTOCOLS[name])
    quality = plan(study).quality
    kept, right, answers = exact(study)
    assert quality.kept == pytest.approx(kept, abs=0.005)
    assert quality.right == pytest.approx(right, abs=0.005)
    assert quality.answers == pytest.approx(answers, rel=0.005)


def test_alternatives_are_within_half_a_point_of_the_exact_shares():
    study = Study(pairs=1000, people=10, protocol=Protocol())
    for other in plan(study).alternatives:
        kept, right, _answers = exact(replace(study, protocol=other.protocol))
        assert other.quality.kept == pytest.approx(kept, abs=0.005)
        assert other.quality.right == pytest.approx(right, abs=0.005)


def test_alternatives_need_as_many_answers():
    planned = plan(Study(pairs=1000, people=10, protocol=Protocol()))
    numbers = [
        (each.pairs, each.protocol.judgments_per_pair, each.protocol.consensus_min_votes)
        for each in planned.alternatives
    ]
    assert numbers == [(1000, 5, 3), (1000, 5, 5), (1667, 3, 3), (714, 7, 6), (953, 5, 4)]
    assert planned.alternatives[-1].protocol.judgments_at_most == 7


def test_alternatives_ask_no_more_people_than_there_are():
    planned = plan(Study(pairs=1000, people=6, protocol=Protocol(), is_corrected=True))
    assert max(each.protocol.judgments_per_pair for each in planned.alternatives) == 5


def test_alternatives_of_a_study_that_asks_more_people_are_with_more_people_too():
    planned = plan(Study(pairs=1000, people=10, protocol=Protocol(5, 4, judgments_at_most=6)))
    numbers = [
        (protocol.judgments_per_pair, protocol.consensus_min_votes, protocol.judgments_at_most)
        for protocol in (other.protocol for other in planned.alternatives)
    ]
    assert numbers == [(5, 3, 6), (5, 5, 6), (3, 3, 6), (7, 6, 7), (5, 4, None)]


def test_alpha_is_that_of_the_first_people():
    first = plan(Study(3000, 10, Protocol(3, 3)))
    assert plan(Study(3000, 10, Protocol(3, 3, judgments_at_most=7))).alpha == first.alpha


def test_a_pair_that_may_need_more_people_needs_as_many_of_them():
    assert plan(Study(900, 9, Protocol(3, 3, judgments_at_most=7))).least_people == 7


def test_the_same_seed_gives_the_same_plan():
    study = Study(pairs=3000, people=10, protocol=PROTOCOLS["grades"])
    assert plan(study, seed=5) == plan(study, seed=5)


def test_another_seed_gives_another_plan():
    study = Study(pairs=3000, people=10, protocol=PROTOCOLS["grades"])
    assert plan(study, seed=5) != plan(study, seed=6)


def test_fifty_thousand_pairs_take_less_than_a_second_of_cpu():
    began = time.process_time()
    plan(Study(pairs=50_000, people=20, protocol=Protocol()))
    assert time.process_time() - began < 1


def test_hours_follow_from_seconds():
    planned = plan(Study(pairs=900, people=9, protocol=Protocol(), seconds=8, pay_per_hour=12))
    assert (planned.answers, planned.answers_per_person) == (4500, 500)
    assert (planned.hours, planned.cost) == (10, 120)


def test_a_limit_asks_for_more_people():
    study = Study(pairs=900, people=9, protocol=Protocol(), limit=200)
    assert plan(study).least_people == 23
    assert plan(replace(study, limit=None)).least_people == 5
    assert plan(replace(study, limit=None, is_corrected=True)).least_people == 6


def test_people_who_never_err_agree_fully():
    study = Study(100, 5, Protocol(), error=0, hard_share=0)
    planned = plan(study)
    assert planned.alpha.value == 1
    assert (planned.quality.kept, planned.quality.right) == (1, 1)


def test_more_errors_lower_alpha():
    study = Study(2000, 5, Protocol(5, 1, MEAN), error=0.05)
    assert plan(study).alpha.value > plan(replace(study, error=0.2)).alpha.value + 0.1


def test_a_study_that_keeps_every_pair_has_no_right_labels():
    planned = plan(Study(2000, 5, Protocol(5, 1, MEAN)))
    assert (planned.quality.kept, planned.quality.right) == (1, None)


@pytest.mark.parametrize(
    ("numbers", "message"),
    [
        ({"people": 4}, "4 people cannot give 5 answers."),
        ({"people": 1}, "One person cannot give 5 answers."),
        (
            {"people": 5, "is_corrected": True},
            "One of 5 people corrects a pair and cannot judge it: 5 answers need one more person.",
        ),
        (
            {"protocol": Protocol(judgments_at_most=7), "people": 6},
            "6 people cannot give 7 answers.",
        ),
        ({"seconds": 0}, "Seconds and pay are greater than 0."),
        ({"protocol": Protocol(16, 9), "people": 20}, "Plan at most 15 answers per pair."),
    ],
)
def test_impossible_numbers_are_explained(numbers, message):
    with pytest.raises(BadPlan) as refusal:
        Study(**{"pairs": 10, "people": 9, "protocol": Protocol()} | numbers)
    assert str(refusal.value) == message
