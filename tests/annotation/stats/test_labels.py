"""The label scheme: what it refuses, how it folds labels to outcomes, and its JSON."""

import pytest

from annotation.stats.labels import SAME_OR_DIFFERENT, BadScheme, Label, Level, Rule, Scheme, scale

NLI = Scheme(
    tuple(Label(n, name) for n, name in enumerate(("entailment", "neutral", "contradiction"))),
    Level.NOMINAL,
    Rule.MOST,
    directed=True,
    captions=("Premise", "Hypothesis"),
)
OPINIONS = Scheme(
    tuple(Label(value, f"degree {value}") for value in range(-5, 6)),
    Level.INTERVAL,
    Rule.NONE,
    border=1,
)


def numbers(*values):
    return tuple(Label(value, str(value)) for value in values)


@pytest.mark.parametrize("scheme", [SAME_OR_DIFFERENT, scale(3, border=2), NLI, OPINIONS])
def test_a_scheme_is_the_same_after_json(scheme):
    assert Scheme.from_dict(scheme.to_dict()) == scheme


def test_a_border_folds_labels_to_two_sides():
    grades = scale(3, border=2)
    assert [grades.outcome(place) for place in range(4)] == [0, 0, 1, 1]
    assert grades.votes((1, 0, 2, 4)) == (1, 6)
    assert (grades.folds, grades.outcomes) == (True, ("0 – 1", "2 – 3"))
    assert [OPINIONS.outcome(place) for place in range(11)] == [0] * 6 + [1] * 5


def test_labels_without_a_border_are_their_own_outcomes():
    assert NLI.votes((0, 3, 2)) == (0, 3, 2)
    assert (NLI.folds, NLI.outcomes) == (False, ("entailment", "neutral", "contradiction"))


def test_answers_are_read_by_value_or_by_name_in_any_case():
    assert [OPINIONS.place(text) for text in ("-5", "0", 5, " Degree 5 ")] == [0, 5, 10, 10]
    with pytest.raises(BadScheme) as refusal:
        NLI.place("entailed")
    assert str(refusal.value) == (
        "“entailed” is no label of this study. "
        "Labels: entailment (0), neutral (1), contradiction (2)."
    )


@pytest.mark.parametrize(
    ("labels", "level", "rule", "border", "message"),
    [
        (numbers(*range(12)), "ordinal", "side", 1, "this one has 12"),
        ((Label(0, "neutral"), Label(1, "Neutral")), "nominal", "side", 1, "Two labels are called"),
        (numbers(0, 3, 2), "ordinal", "side", 2, "2 comes after 3"),
        (numbers(0, 1, 2), "nominal", "side", 1, "Labels without an order have no sides"),
        (numbers(0, 1, 2), "ordinal", "mean", 1, "in an order with equal steps"),
        (numbers(0, 1, 2), "interval", "none", None, "gold pairs and flags compare sides"),
        (numbers(0, 1), "nominal", "most", None, "With two labels, choose “the side"),
        (numbers(0, 1, 2), "ordinal", "side", None, "Enter the lowest value of the upper side"),
        (numbers(0, 1, 2), "ordinal", "side", 0, "other than the lowest"),
        ((Label(0, "1"), Label(1, "0")), "nominal", "side", 1, "something other than a number"),
        ((Label(0, " "), Label(1, "b")), "nominal", "side", 1, "1 to 40 characters"),
        (numbers(-100, 1), "ordinal", "side", 1, "from -99 to 99"),
        (numbers(1, 2), "nominal", "side", 2, "0, 1, 2 and so on"),
        (numbers(0, 1, 2), "ordinal", "most", 1, "these labels have no sides"),
    ],
)
def test_a_scheme_that_cannot_be_is_refused(labels, level, rule, border, message):
    with pytest.raises(BadScheme, match=message):
        Scheme(labels, Level(level), Rule(rule), border)


@pytest.mark.parametrize(
    "values", [{}, {"labels": 3}, {"labels": [{"value": 0}]}, {"labels": None}]
)
def test_json_that_is_no_scheme_is_refused(values):
    with pytest.raises(BadScheme, match="labels with value and name"):
        Scheme.from_dict(values)
