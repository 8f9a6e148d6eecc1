"""Flags: by hand, by properties, and by how often the honest and the careless are flagged."""

from dataclasses import replace
from math import log
from random import Random
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats import quality
from annotation.stats.crowd import MOST_ERROR, Crowd, fit_crowd, tallies_of
from annotation.stats.quality import (
    Answer,
    Kind,
    careless_ratio,
    ratio_of_events,
    ratio_of_habits,
)
from support import plain_study
from support.plain_study import Person, reads, says_same

SAME, DIFFERENT = (1, 1, 1, 1), (0, 0, 0, 0)
LABELS = st.lists(st.integers(0, 1), max_size=60)
SECONDS, OTHERS = st.none() | st.floats(0, 100), st.lists(st.integers(0, 1), max_size=6).map(tuple)
ANSWER = st.builds(Answer, st.integers(0, 1), SECONDS, OTHERS, st.none() | st.integers(0, 1))


def kinds(answers, **options):
    return {flag.kind for flag in quality.flags(answers, **options)}


def belief(crowd, labels):
    """The belief in the second of two outcomes."""
    return crowd.beliefs(tallies_of([labels], 2))[0, 1]


def figures(answers, kind, *names):
    flags = {flag.kind: flag.evidence for flag in quality.flags(answers)}
    return [flags[kind][name] for name in names]


def reader(number):
    """Answers of a person who reads, beside four others who read."""
    drawn, answers = Random(1), []
    for _ in range(number):
        truth = int(drawn.random() < 0.12)
        own, *others = (truth ^ (drawn.random() > 0.93) for _ in range(5))
        answers.append(Answer(own, 20.0, tuple(others)))
    return answers


def test_readers_and_what_says_little_are_not_flagged_but_answers_below_the_floor_are():
    for number in (0, 10, 30, 200):
        assert quality.flags(reader(number), usual_seconds=20.0) == [], number
    assert kinds([Answer(1, 1.0, DIFFERENT)] * 9) == set()
    assert kinds([Answer(1, 1.0, DIFFERENT)] * 10) == {Kind.FAST, Kind.ONE_LABEL, Kind.DISAGREES}
    assert kinds([Answer(n % 2, 20.0, (0, 1)) for n in range(60)]) == set()
    assert kinds([Answer(1, 20.0, (0,))] * 50) == set()
    assert Kind.DISAGREES in kinds([Answer(1, 20.0, (0, 0))] * 50)
    fast = [Answer(1, 1.2)] * 8 + [Answer(1, 9.0)] * 4
    assert figures(fast, Kind.FAST, "answers", "fast", "floor_seconds") == [12, 8, 2.0]
    assert Kind.FAST not in kinds([Answer(1, 1.2)] * 20, floor_seconds=1.0)
    now_and_then = ([Answer(1, 0.4)] + [Answer(1, 15.0)] * 24) * 8
    for answers in ([Answer(1, 2.0)] * 20, [Answer(1, None)] * 50, now_and_then):
        assert Kind.FAST not in kinds(answers)


def test_one_label_is_flagged_where_others_give_another_as_well():
    names = ("answers", "label", "most", "of_others")
    answers = [Answer(1, 20.0, others) for others in (SAME, DIFFERENT) * 10]
    assert figures(answers, Kind.ONE_LABEL, *names) == [20, 1, 20, 0.5]
    never = [Answer(0, 20.0, others) for others in (SAME, DIFFERENT, DIFFERENT, DIFFERENT) * 20]
    assert figures(never, Kind.ONE_LABEL, *names) == [80, 0, 80, 0.75]
    assert kinds([Answer(0, 20.0, DIFFERENT)] * 200) == set()
    few_paraphrases = [Answer(0, 20.0, SAME if n % 8 == 0 else DIFFERENT) for n in range(56)]
    assert Kind.ONE_LABEL not in kinds(few_paraphrases[:24])
    assert Kind.ONE_LABEL in kinds(few_paraphrases)


def test_disagreement_with_the_others_is_flagged():
    answers = [Answer(n % 2, 20.0, DIFFERENT) for n in range(20)]
    counts = figures(answers, Kind.DISAGREES, "answers", "agreeing", "usual")
    assert counts == [20, 10, pytest.approx(0.98)]
    other_way_round = [Answer(1 - n % 2, 20.0, SAME if n % 2 else DIFFERENT) for n in range(12)]
    assert Kind.DISAGREES in kinds(other_way_round)
    drawn = Random(3)
    late = [Answer(drawn.randint(0, 1), 20.0, DIFFERENT) for _ in range(40)]
    assert Kind.DISAGREES in kinds(reader(160) + late)


def test_missed_hidden_pairs_are_flagged_unless_most_others_miss_them_as_well():
    answers = [Answer(0, 20.0, known=1)] * 7 + [Answer(1, 20.0, known=1)]
    assert figures(answers, Kind.KNOWN_WRONG, "answers", "wrong") == [8, 7]
    for others in (DIFFERENT, (0, 0, 0), (0, 0, 1), (0, 0), (0, 0, 1, 1)):
        missed = [Answer(0, 20.0, others, known=1)] * 30
        counts = others in {(0, 0), (0, 0, 1, 1)}
        assert (Kind.KNOWN_WRONG in kinds(missed)) == counts, others


def test_pace_weighs_but_flags_nobody_alone():
    hasty = [replace(answer, seconds=5.0) for answer in reader(200)]
    assert quality.pace(hasty, 20.0) > 3
    assert kinds(hasty, usual_seconds=20.0) == set()
    for seconds in (20.0, 40.0, 400.0, 400_000.0):
        assert -0.7 <= quality.pace([Answer(1, seconds)] * 10, 20.0) <= 0, seconds
    assert quality.pace(hasty[:5], 20.0) > 3
    assert quality.pace(hasty[:4], 20.0) == quality.pace(hasty, None) == 0
    assert quality.pace([Answer(1, 0.1)] * 5, 20.0) == pytest.approx(quality.pace(hasty, 200.0))
    for seconds, flagged in ((20.0, False), (4.0, True)):
        answers = [Answer(int(n % 4 == 0), seconds, DIFFERENT) for n in range(16)]
        assert (Kind.DISAGREES in kinds(answers, usual_seconds=20.0)) == flagged


@given(st.lists(ANSWER, max_size=40), st.randoms())
def test_neither_the_order_of_others_nor_the_end_of_the_scale_matters(answers, drawn):
    mixed = [replace(a, others=tuple(drawn.sample(a.others, len(a.others)))) for a in answers]
    assert quality.flags(answers) == quality.flags(mixed)
    turned = {0: 1, 1: 0, None: None}
    other_way = [
        Answer(turned[a.label], a.seconds, tuple(map(turned.get, a.others)), turned[a.known])
        for a in answers
    ]
    with patch.multiple(quality, FALSE_FLAGS=0.9, LEAST_ANSWERS=1):
        one, other = quality.flags(answers), quality.flags(other_way)
    assert [flag.kind for flag in one] == [flag.kind for flag in other]
    for flag, turned_flag in zip(one, other, strict=True):
        assert flag.evidence["ratio"] == pytest.approx(turned_flag.evidence["ratio"], abs=1e-6)


def test_in_simulated_studies_the_careless_alone_are_flagged_within_thirty_answers():
    """Ten readers, one who throws coins, and one who always says "same"."""
    for seed in range(16, 19):
        drawn, quarter = Random(seed), plain_study.USUAL_SECONDS / 4
        careless = [Person(says_same(0.5), quarter), Person(says_same(1.0), quarter)]
        people = [*careless, *(Person(reads(drawn.uniform(0.9, 0.95))) for _ in range(10))]
        drawn.shuffle(people)
        found = plain_study.run(people, paraphrases=0.12, rounds=30, seed=seed)
        assert {id(people[place]) for place in found} == set(map(id, careless)), seed


def test_belief_in_a_crowd_and_likelihood_ratios_by_hand():
    # One of four is wrong: odds 1/9 · 9³ / 9 = 9.
    assert belief(Crowd((0.9, 0.1), 0.1), [1, 1, 1, 0]) == pytest.approx(0.9)
    assert belief(Crowd((0.7, 0.3), 0.1), []) == pytest.approx(0.3)
    assert belief(Crowd((0.5, 0.5), 0.001), [1] * 1000) == pytest.approx(1)
    assert fit_crowd([[1] * 1000, [0] * 1000]).error < 0.01
    assert careless_ratio(np.array([]), np.array([])) == 0
    # Each is five times as likely of the careless. Begun at the first: 125; at any: (125+25+5)/3.
    ratio = ratio_of_events([True] * 3, honest=0.1, careless=0.5)
    assert ratio == pytest.approx(log(0.8 * 125 + 0.2 * (125 + 25 + 5) / 3))
    late = [False] * 150 + [True] * 12
    assert ratio_of_events(late, honest=0.05, careless=0.5) > log(1000)
    # (0.2 + 0.8) / 2 is what the honest account says as well.
    habits = [(0.5, np.array([0.8, 0.2])), (0.5, np.array([0.2, 0.8]))]
    assert ratio_of_habits(np.array([1]), np.array([0.5]), habits) == pytest.approx(0)
    # The fit finds what the labels were drawn from.
    for share, error in ((0.12, 0.07), (0.5, 0.15), (0.95, 0.05)):
        drawn = Random(1)
        truths = [int(drawn.random() < share) for _ in range(2000)]
        pairs = [[truth ^ (drawn.random() < error) for _ in range(4)] for truth in truths]
        found = fit_crowd(pairs)
        assert found.shares[1] == pytest.approx(share, abs=0.03)
        assert found.error == pytest.approx(error, abs=0.01)


@given(st.lists(LABELS, max_size=30))
def test_a_crowd_is_fitted_within_bounds_whatever_is_said(pairs):
    found = fit_crowd(pairs)
    assert all(0 < share < 1 for share in found.shares)
    assert 0 < found.error <= MOST_ERROR
    for labels in pairs:
        turned = [1 - label for label in labels]
        assert belief(found, labels) == belief(found, sorted(labels))
        mirrored = belief(Crowd(found.shares[::-1], found.error), turned)
        assert belief(found, labels) == pytest.approx(1 - mirrored)


def test_of_three_outcomes_the_careless_alone_are_flagged_within_a_hundred_answers():
    """Readers err on one answer in twelve; four others judge each pair."""
    drawn = Random(5)

    def answers(says):
        for _ in range(100):
            truth = drawn.randrange(3)
            yield Answer(says(truth), 20.0, tuple(reads(truth) for _ in range(4)))

    def reads(truth):
        return truth if drawn.random() >= 0.08 else (truth + drawn.randint(1, 2)) % 3

    def flagged(says):
        return bool(quality.flags([*answers(says)], outcomes=3))

    assert not any(flagged(reads) for _ in range(100))
    assert all(flagged(lambda _: drawn.randrange(3)) for _ in range(20))
    assert all(flagged(lambda _: 1) for _ in range(20))
