"""Whose kappa is low, and who is best."""

from annotation.stats.agreement import Confusion
from annotation.stats.reissue import Level, Rules, best_people, level, low_people


def agreeing(number, of=40):
    """A confusion with even sides: its kappa is twice the share of equal answers, less one."""
    half, wrong = number // 2, (of - number) // 2
    return Confusion({(0, 0): half, (1, 1): half, (0, 1): wrong, (1, 0): wrong})


def test_a_kappa_at_a_threshold_is_neither_low_nor_high_and_one_of_few_pairs_says_nothing():
    rules = Rules(below=0.25, above=0.5)
    for confusion, expected in (
        (agreeing(24), Level.LOW),
        (agreeing(25 * 2, of=80), Level.MIDDLE),  # exactly 0.25
        (agreeing(30), Level.MIDDLE),  # exactly 0.5
        (agreeing(32), Level.HIGH),
        (agreeing(28, of=28), Level.UNKNOWN),
        (Confusion({(0, 0): 40}), Level.UNKNOWN),  # both always gave one label
        (Confusion({}), Level.UNKNOWN),
        (Confusion({(0, 0): 20, (0, 1): 20}), Level.LOW),  # the person always did
    ):
        assert level(confusion, rules) is expected, confusion


def test_the_lowest_and_the_best_come_first_and_the_best_are_limited():
    people = {"a": agreeing(36), "b": agreeing(20), "c": agreeing(40), "d": agreeing(4)}
    people |= {"e": agreeing(72, of=80), "f": agreeing(36)}
    assert low_people(people) == ["d", "b"]
    assert best_people(people) == ["c", "e", "a", "f"]  # of equal ones that of more pairs
    assert best_people(people, Rules(most=2)) == ["c", "e"]
