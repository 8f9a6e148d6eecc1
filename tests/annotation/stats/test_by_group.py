"""Agreement of groups of annotators: within a group, with all others, and their outcomes."""

import pytest

from annotation.stats.agreement import krippendorff_alpha
from annotation.stats.by_group import AnswersByGroup
from annotation.stats.consensus import Protocol
from annotation.stats.labels import scale

LANGUAGES = {"a": "de", "b": "de", "c": "de", "d": "en", "e": "en", "f": None}
REPLIES = {person: {"Language": language} for person, language in LANGUAGES.items()}


def groups_of(pairs, *, least=2, protocol=None, replies=REPLIES):
    answers = AnswersByGroup(replies)
    for pair in pairs:
        answers.add_pair(pair.items())
    return {group.choice: group for group in answers.groups(protocol or Protocol(), least)}


def test_a_group_is_compared_with_itself_and_with_all_others():
    one = {"a": 1, "b": 1, "c": 0, "d": 1, "e": 1}
    other = {"a": 0, "b": 0, "c": 0, "d": 1, "x": 0}
    groups = groups_of([one] * 20 + [other] * 20)
    german, english = groups["de"], groups["en"]
    assert (german.people, german.answers, german.outcomes) == (3, 120, (80, 40))
    assert german.alpha.value == krippendorff_alpha({(1, 2): 20, (3, 0): 20}).value
    # Of the first pairs, c is against the others; of the others, everybody is with them.
    assert german.with_others.value == pytest.approx((20 * 2 + 20 * 3) / 120)
    assert (english.people, english.answers, english.outcomes) == (2, 60, (0, 60))
    assert english.with_others.value == pytest.approx(40 / 60)


def test_ties_of_the_others_are_not_compared():
    tie = {"a": 1, "d": 1, "e": 0}
    [german] = groups_of([tie] * 50, least=3).values()
    assert (german.answers, german.with_others.value) == (50, None)


@pytest.mark.parametrize(("pairs", "least"), [(16, 2), (20, 4)])
def test_groups_of_few_people_or_answers_are_left_out(pairs, least):
    pair = {"a": 1, "b": 1, "c": 1}
    assert groups_of([pair] * 17, least=3).keys() == {"de"}
    assert groups_of([pair] * pairs, least=least) == {}


def test_merged_choices_and_missing_ones_are_no_group():
    replies = {"a": {"Age": "other"}, "b": {"Age": "other"}, "c": {"Age": None}, "d": {"Age": None}}
    pair = {"a": 1, "b": 1, "c": 1, "d": 1}
    assert groups_of([pair] * 50, replies=replies) == {}


def test_people_are_compared_by_side_and_among_themselves_by_grade():
    protocol = Protocol(3, 2, scale(3, border=2))
    [german] = groups_of([{"a": 2, "b": 3, "c": 0}] * 50, protocol=protocol).values()
    assert german.outcomes == (50, 100)
    assert german.with_others.value == 0
    assert german.alpha.value < 0
