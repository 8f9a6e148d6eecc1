"""Flags: by hand, by properties, and by how often the honest and the careless are flagged."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.stats import quality
from annotation.stats.quality import Answer, Kind, Rules

SAME, DIFFERENT = (1, 1, 1, 1), (0, 0, 0, 0)


def kinds(answers, rules=quality.DEFAULT, **options):
    return {flag.kind for flag in quality.flags(answers, rules, **options)}


def only(answers, kind, **options):
    [flag] = [flag for flag in quality.flags(answers, **options) if flag.kind is kind]
    return flag


def reader(number, *, share=0.12, accuracy=0.93, seed=1, others=4, of_others=0.93):
    """Answers of somebody who reads, beside others who read."""
    drawn = Random(seed)
    answers = []
    for _ in range(number):
        truth = int(drawn.random() < share)
        said = [truth ^ (drawn.random() > chance) for chance in [accuracy] + [of_others] * others]
        answers.append(Answer(said[0], 20.0, tuple(said[1:])))
    return answers


def test_nobody_is_flagged_for_nothing():
    assert quality.flags([]) == []


@pytest.mark.parametrize("number", [10, 30, 200])
def test_a_reader_is_not_flagged(number):
    assert kinds(reader(number), usual_seconds=20.0) == set()


def test_answers_below_the_floor_are_flagged():
    flag = only([Answer(1, 1.2)] * 8 + [Answer(1, 9.0)] * 4, Kind.FAST)
    figures = [flag.evidence[name] for name in ("answers", "fast", "floor_seconds")]
    assert figures == [12, 8, 2.0]


def test_the_floor_is_the_projects():
    answers = [Answer(1, 1.2)] * 20
    assert Kind.FAST not in kinds(answers, Rules(floor_seconds=1.0))


def test_a_slip_of_the_finger_now_and_then_is_not_flagged():
    answers = ([Answer(1, 0.4)] + [Answer(1, 15.0)] * 24) * 8
    assert Kind.FAST not in kinds(answers)


def test_answers_whose_time_nobody_knows_are_not_fast():
    assert Kind.FAST not in kinds([Answer(1, None)] * 50)


def test_one_label_is_flagged_where_others_give_another_as_well():
    answers = [Answer(1, 20.0, others) for others in (SAME, DIFFERENT) * 10]
    flag = only(answers, Kind.ONE_LABEL)
    assert [flag.evidence[name] for name in ("answers", "most", "of_others")] == [20, 20, 0.5]


def test_one_label_is_right_where_others_give_it_as_well():
    assert kinds([Answer(0, 20.0, DIFFERENT)] * 200) == set()


def test_always_different_among_word_swaps_is_seen_by_the_few_paraphrases():
    answers = [Answer(0, 20.0, SAME if n % 8 == 0 else DIFFERENT) for n in range(56)]
    assert Kind.ONE_LABEL not in kinds(answers[:24])
    assert Kind.ONE_LABEL in kinds(answers)


def test_disagreement_with_the_others_is_flagged():
    answers = [Answer(n % 2, 20.0, DIFFERENT) for n in range(20)]
    flag = only(answers, Kind.DISAGREES)
    assert (flag.evidence["answers"], flag.evidence["agreeing"]) == (20, 10)
    assert flag.evidence["usual"] > 0.9


def test_who_answers_the_other_way_round_is_flagged():
    answers = [Answer(1 - n % 2, 20.0, SAME if n % 2 else DIFFERENT) for n in range(12)]
    assert Kind.DISAGREES in kinds(answers)


def test_to_differ_from_others_who_are_split_weighs_nothing():
    answers = [Answer(n % 2, 20.0, (0, 1)) for n in range(60)]
    assert kinds(answers) == set()


def test_one_other_is_too_few_to_be_compared_with():
    assert kinds([Answer(1, 20.0, (0,))] * 50) == set()


def test_nobody_is_judged_on_fewer_than_ten_answers():
    assert kinds([Answer(1, 1.0, DIFFERENT)] * 9) == set()
    assert kinds([Answer(1, 1.0, DIFFERENT)] * 10) == {Kind.FAST, Kind.ONE_LABEL, Kind.DISAGREES}


def test_missed_hidden_pairs_are_flagged():
    answers = [Answer(0, 20.0, known=1)] * 7 + [Answer(1, 20.0, known=1)]
    flag = only(answers, Kind.KNOWN_WRONG)
    assert (flag.evidence["answers"], flag.evidence["wrong"]) == (8, 7)


def test_a_hidden_pair_that_most_others_miss_as_well_does_not_count():
    assert kinds([Answer(0, 20.0, DIFFERENT, known=1)] * 30) == set()


def test_whoever_begins_to_click_at_random_after_a_good_day_is_flagged():
    drawn = Random(3)
    late = [Answer(drawn.randint(0, 1), 20.0, DIFFERENT) for _ in range(40)]
    assert Kind.DISAGREES in kinds(reader(160) + late)


def test_pace_alone_flags_nobody():
    hasty = [Answer(answer.label, 5.0, answer.others) for answer in reader(200)]
    assert quality.pace(hasty, 20.0) > 3
    assert kinds(hasty, usual_seconds=20.0) == set()


def test_disagreement_weighs_more_of_somebody_hasty():
    def answers(seconds):
        return [Answer(int(n % 4 == 0), seconds, DIFFERENT) for n in range(16)]

    assert Kind.DISAGREES not in kinds(answers(20.0), usual_seconds=20.0)
    assert Kind.DISAGREES in kinds(answers(4.0), usual_seconds=20.0)


@pytest.mark.parametrize("seconds", [20.0, 40.0, 400.0, 400_000.0])
def test_taking_ones_time_says_next_to_nothing(seconds):
    assert -0.7 <= quality.pace([Answer(1, seconds)] * 10, 20.0) <= 0


ANSWER = st.builds(
    Answer,
    label=st.integers(0, 1),
    seconds=st.one_of(st.none(), st.floats(0, 100)),
    others=st.lists(st.integers(0, 1), max_size=6).map(tuple),
    known=st.one_of(st.none(), st.integers(0, 1)),
)


def ratios(answers):
    return {
        flag.kind: flag.evidence["ratio"]
        for flag in quality.flags(answers, Rules(false_flags=0.9, least_answers=1))
    }


@given(st.lists(ANSWER, max_size=40), st.randoms())
def test_the_order_of_others_does_not_matter(answers, drawn):
    mixed = [
        Answer(a.label, a.seconds, tuple(drawn.sample(a.others, len(a.others))), a.known)
        for a in answers
    ]
    assert quality.flags(answers) == quality.flags(mixed)


@given(st.lists(ANSWER, max_size=40))
def test_the_scale_may_be_read_from_either_end(answers):
    def turned(label):
        return None if label is None else 1 - label

    other_way = [
        Answer(1 - a.label, a.seconds, tuple(map(turned, a.others)), turned(a.known))
        for a in answers
    ]
    assert ratios(other_way) == pytest.approx(ratios(answers), abs=1e-6)


@settings(max_examples=200)
@given(st.lists(st.booleans(), min_size=1, max_size=60), st.data())
def test_a_further_disagreement_never_takes_the_flag_away(agrees, data):
    place = data.draw(st.integers(0, len(agrees) - 1))
    truths = data.draw(st.lists(st.integers(0, 1), min_size=len(agrees), max_size=len(agrees)))

    def answers(agreeing):
        return [
            Answer(truth if agreed else 1 - truth, 20.0, (truth,) * 4)
            for truth, agreed in zip(truths, agreeing, strict=True)
        ]

    worse = [*agrees[:place], False, *agrees[place + 1 :]]
    assert {Kind.DISAGREES} & kinds(answers(agrees)) <= kinds(answers(worse))


@given(st.lists(ANSWER, max_size=40))
def test_a_further_hidden_pair_missed_never_takes_the_flag_away(answers):
    alone = [Answer(a.label, a.seconds, known=a.known) for a in answers]
    missed = [*alone, Answer(0, 20.0, known=1)]
    before, after = (kinds(each) & {Kind.KNOWN_WRONG} for each in (alone, missed))
    assert before <= after


@pytest.mark.parametrize("share", [0.05, 0.12, 0.5, 0.88, 0.95])
@pytest.mark.parametrize("accuracy", [0.85, 0.97])
def test_readers_among_their_like_are_spared(share, accuracy):
    """Ten people of each sort, looked at after every twentieth answer up to two hundred."""
    flagged = 0
    for seed in range(10):
        answers = reader(200, share=share, accuracy=accuracy, of_others=accuracy, seed=seed)
        flagged += any(kinds(answers[:end], usual_seconds=20.0) for end in range(20, 201, 20))
    assert flagged == 0
