"""The model of annotators, against crowd-kit and the table of its paper."""

from pathlib import Path
from random import Random

import numpy as np
import pytest

from annotation.stats.skill import Answers, fit_skill

PLAIN = {"pseudo_answers": 0.0, "more_right": 0.0}
# Probabilities of the three outcomes of each pair of `three_hundred`: probas_ of crowd-kit 1.4.2,
# DawidSkene(n_iter=100, tol=-1e9), so that all 100 rounds are done, on the same answers.
CROWD_KIT = np.loadtxt(Path(__file__).with_name("crowd_kit.tsv"))
# Table 1 of the paper: 45 patients, each with the classes by five observers. The first observer
# saw each patient three times.
PATIENTS = """
    111 1 1 1 1, 333 4 3 3 4, 112 2 1 2 2, 222 3 1 2 1, 222 3 2 2 2, 222 3 3 2 2, 122 2 1 1 1,
    333 3 4 3 3, 222 2 2 2 3, 232 2 2 2 3, 444 4 4 4 4, 222 3 3 4 3, 111 1 1 1 1, 222 3 2 1 2,
    121 1 1 1 1, 111 2 1 1 1, 111 1 1 1 1, 111 1 1 1 1, 222 2 2 2 1, 222 1 3 2 2, 222 2 2 2 2,
    222 2 2 2 1, 222 3 2 2 2, 221 2 2 2 2, 111 1 1 1 1, 111 1 1 1 1, 232 2 2 2 2, 111 1 1 1 1,
    111 1 1 1 1, 112 1 1 2 1, 111 1 1 1 1, 333 3 2 3 3, 111 1 1 1 1, 222 2 2 2 2, 222 3 2 3 2,
    433 4 3 4 3, 221 2 2 3 2, 232 3 2 3 3, 333 3 4 3 2, 111 1 1 1 1, 111 1 1 1 1, 121 2 1 1 1,
    232 2 2 2 2, 121 1 1 1 1, 222 2 2 2 2"""


def three_hundred():
    """300 pairs of three outcomes, each answered by five of nine people, who err differently."""
    draw = Random(1979)
    errors = [0.05, 0.05, 0.1, 0.1, 0.15, 0.2, 0.3, 0.5, 0.6]
    for pair in range(300):
        truth = draw.randrange(3)
        for person in draw.sample(range(9), 5):
            is_wrong = draw.random() < errors[person]
            yield pair, person, (truth + draw.randrange(1, 3)) % 3 if is_wrong else truth


def simulated(errors, *, pairs=2000, outcomes=2):
    """The true outcome of each pair, and the answers of five people, each with their error rate."""
    draw = Random(5)
    truths = [draw.randrange(outcomes) for _ in range(pairs)]
    rows = [
        (pair, person, (truth + draw.randrange(1, outcomes)) % outcomes)
        if draw.random() < errors[person]
        else (pair, person, truth)
        for pair, truth in enumerate(truths)
        for person in draw.sample(range(len(errors)), 5)
    ]
    return np.array(truths), Answers.from_rows(rows)


def right(labels, truths):
    return float((labels == truths).mean())


def majority(answers, outcomes):
    votes = np.zeros((answers.pairs[-1] + 1, outcomes))
    np.add.at(votes, (answers.pairs, answers.outcomes), 1)
    return votes.argmax(axis=1)


def test_without_pseudo_answers_probabilities_equal_those_of_crowd_kit():
    skill = fit_skill(Answers.from_rows(three_hundred()), 3, **PLAIN)
    assert np.abs(skill.beliefs - CROWD_KIT).max() < 1e-6


def test_the_table_of_the_paper_gives_its_shares_and_error_rates():
    rows = [
        (patient, observer, int(answer) - 1)
        for patient, classes in enumerate(PATIENTS.split(","))
        for observer, of_observer in enumerate(classes.split())
        for answer in of_observer
    ]
    skill = fit_skill(Answers.from_rows(rows), 4, **PLAIN)
    assert skill.shares.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert skill.confusions[0].round(2).tolist() == [
        [0.89, 0.11, 0, 0],
        [0.07, 0.88, 0.05, 0],
        [0, 0.34, 0.66, 0],
        [0, 0, 0.56, 0.44],
    ]


@pytest.mark.parametrize("outcomes", [2, 3])
def test_the_model_is_right_more_often_than_the_majority_if_some_answer_at_random(outcomes):
    at_random = 1 - 1 / outcomes
    truths, answers = simulated([0.1] * 7 + [at_random] * 3, outcomes=outcomes)
    by_model = right(fit_skill(answers, outcomes).labels, truths)
    assert by_model > right(majority(answers, outcomes), truths) + 0.01


def test_the_model_gains_nothing_if_all_are_honest():
    truths, answers = simulated([0.08] * 10)
    by_model = right(fit_skill(answers, 2).labels, truths)
    assert by_model == pytest.approx(right(majority(answers, 2), truths), abs=0.001)


def test_of_two_equally_likely_outcomes_the_lower_one_is_the_label():
    answers = Answers.from_rows([("first", "ann", 0), ("first", "ben", 1)])
    skill = fit_skill(answers, 2)
    assert (skill.labels.tolist(), skill.certainties.tolist()) == ([0], [0.5])
