"""Who needs a look, on plain numbers: each rule at its border."""

from typing import Any

import pytest

from annotation.people.selectors.risk import Level, Numbers, Sign, assess, assess_all

OTHERS = [Numbers(agreeing=90, compared=100), Numbers(93, 100), Numbers(91, 100)]


def fast(fast: int, answers: int, ratio: float) -> dict[str, Any]:
    return {"flag": "fast", "fast": fast, "answers": answers, "ratio": ratio}


DISAGREES = {"flag": "disagrees", "answers": 40, "agreeing": 18, "usual": 0.9}
PARADE_LOW = Numbers(80, 100, kappa_is_low=True)


@pytest.mark.parametrize(
    ("person", "level"),
    [
        pytest.param(Numbers(15, 33), Level.LOOK, id="agrees clearly less than the others"),
        pytest.param(Numbers(8, 19), Level.FINE, id="too few pairs to say so"),
        pytest.param(Numbers(75, 100), Level.FINE, id="the interval reaches the others"),
        pytest.param(Numbers(gold_right=2, gold_given=5), Level.LOOK, id="fails gold pairs"),
        pytest.param(Numbers(gold_right=3, gold_given=5), Level.FINE, id="60 % of gold pairs"),
        pytest.param(Numbers(gold_right=0, gold_given=4), Level.FINE, id="too few gold pairs"),
        pytest.param(Numbers(flags=(fast(8, 10, 20),)), Level.LOOK, id="nearly all too fast"),
        pytest.param(Numbers(flags=(fast(7, 10, 99),)), Level.WATCH, id="most too fast"),
        pytest.param(Numbers(flags=(fast(8, 10, 19),)), Level.WATCH, id="little evidence"),
        pytest.param(Numbers(flags=(fast(4, 10, 99),)), Level.FINE, id="less than half too fast"),
        pytest.param(Numbers(flags=({**DISAGREES, "ratio": 20},)), Level.LOOK, id="strong flag"),
        pytest.param(Numbers(flags=({**DISAGREES, "ratio": 7},)), Level.WATCH, id="weak flag"),
        pytest.param(Numbers(flags=({"flag": "same_browser"},)), Level.WATCH, id="same browser"),
        pytest.param(PARADE_LOW, Level.WATCH, id="low kappa"),
        pytest.param(Numbers(15, 33, is_handled=True), Level.HANDLED, id="paused or excluded"),
    ],
)
def test_level(person: Numbers, level: Level) -> None:
    assert assess(person, OTHERS).level == level


def test_reason_is_the_strongest_two_facts() -> None:
    weak, strong = fast(11, 20, 8), {**DISAGREES, "ratio": 25}
    risk = assess(Numbers(15, 33, flags=(weak, strong), kappa_is_low=True), OTHERS)
    assert [(fact.sign, fact.values.get("flag")) for fact in risk.facts] == [
        (Sign.APART, None),
        (Sign.FLAG, "disagrees"),
    ]


def test_range_of_the_others_leaves_out_who_was_handled() -> None:
    careless = Numbers(40, 100, is_handled=True)
    risk = assess(Numbers(15, 33), [*OTHERS, careless])
    assert risk.facts[0].values == {"agreement": 15 / 33, "lowest": 0.9, "highest": 0.93}


def test_nobody_is_compared_with_themselves() -> None:
    risks = assess_all([Numbers(15, 33), *OTHERS])
    assert [risk.level for risk in risks] == [Level.LOOK, Level.FINE, Level.FINE, Level.FINE]


def test_good_agreement_is_told_beside_a_flag() -> None:
    flagged = Numbers(93, 100, flags=(fast(7, 11, 9),))
    assert assess(flagged, OTHERS).agrees_well
    assert not assess(Numbers(84, 100, flags=flagged.flags), OTHERS).agrees_well
