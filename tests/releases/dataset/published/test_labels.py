"""What columns of labels say, written by hand: the form of each, and the label of each row."""

from collections import Counter

import pytest

from releases.dataset.published.rules import find_rule
from releases.dataset.published.settings import Choices, UnusableSet
from releases.dataset.published.values import Cells, Dropped, form_of


def labels(cells, **choices):
    """The label of each row, or why it has none."""
    rule = find_rule("a.tsv", Counter(cells), Choices(**choices))
    values = map(rule.decide, cells)
    return [value if isinstance(value, Dropped) else value.label for value in values]


@pytest.mark.parametrize(
    ("column", "form"),
    [
        (["0", "1", "1"], "sides"),
        (["True", "FALSE", ""], "sides"),
        (["yes", "no"], "sides"),
        (["0", "1", "-1"], "sides"),
        (["1.0", "0.0"], "sides"),
        (["-1", "-1"], "scores"),
        (["(3, 2)", "(0,5)"], "votes"),
        (["0", "1", "2"], "grades"),
        (["9.0", "3"], "grades"),
        (["0", "10"], "scores"),
        (["0.5", "1"], "scores"),
        (["-2", "1"], "scores"),
        (["nan", "1"], "sides"),
        (["inf", "1"], ""),
        (["(3, 2)", "1"], ""),
        (["entailment", "neutral"], ""),
        (["-", ""], ""),
    ],
)
def test_a_column_has_the_first_form_that_reads_all_of_it(column, form):
    assert form_of(column) == form


@pytest.mark.parametrize(
    ("column", "choices", "expected"),
    [
        (["yes", "no", "-"], {}, [1, 0, Dropped.NO_LABEL]),
        (["0", "1", "-1"], {}, [0, 1, Dropped.NO_LABEL]),
        (["0", "1", "2", "3"], {"paraphrase_from": 2}, [0, 0, 1, 1]),
        (["0.79", "0.8", "null"], {"paraphrase_from": 0.8}, [0, 1, Dropped.NO_LABEL]),
        (["a", "b", "c"], {"labels": {"a": 1, "b": 0, "c": 0}}, [1, 0, 0]),
        # Of five: n people said yes, and m no.
        (["(3, 2)", "(2, 3)", "(1, 4)"], {"votes": (3, 4)}, [1, None, 0]),
        # Of six: m is the number of people.
        (["(4, 6)", "(3, 6)", "(2, 6)"], {"votes": (4, 4)}, [1, None, 0]),
        (["0", "1"] * 150 + ["?"], {}, [0, 1] * 150 + [Dropped.NO_FORM]),
    ],
)
def test_the_form_of_a_column_decides_what_a_label_says(column, choices, expected):
    assert labels([Cells(label) for label in column], **choices) == expected


def test_grades_beside_labels_are_kept_with_the_lowest_one_of_a_paraphrase():
    cells = [Cells("1", "3"), Cells("0", "1"), Cells("1", "2"), Cells("", "2")]
    rule = find_rule("a.tsv", Counter(cells), Choices())
    assert rule.paraphrase_from == 2
    values = [rule.decide(row) for row in cells[:3]]
    assert [(row.label, row.grade) for row in values] == [(1, 3), (0, 1), (1, 2)]


def test_annotations_give_label_mean_votes():
    cells = [Cells(votes='{"ann": "5", "bo": "-1", "cy": null}'), Cells(votes="[1, 0]")]
    cells += [Cells(), Cells(votes='{"ann": ""}')]
    rule = find_rule("a.json", Counter(cells), Choices(paraphrase_from=1))
    first, second, *hidden = map(rule.decide, cells)
    assert (first.label, first.mean, first.votes0, first.votes1) == (1, 2.0, 1, 1)
    assert (second.label, second.mean, second.votes0, second.votes1) == (0, 0.5, 1, 1)
    assert hidden == [Dropped.NO_LABEL, Dropped.NO_LABEL]


@pytest.mark.parametrize(
    ("cells", "choices", "message"),
    [
        (
            [Cells("a"), Cells("b"), Cells("c")],
            {"labels": {"a": 1, "b": 0}},
            "a.tsv: labels are a, b, c. Say which mean a paraphrase, for example --labels "
            "a=1,b=0,c=0. Not stated: c.",
        ),
        (
            [Cells("(3, 2)"), Cells("4"), Cells("1")],
            {},
            "a.tsv: labels have several forms: (3, 2); 1; 4. Name only files whose labels have one "
            "form.",
        ),
        (
            [Cells("0"), Cells("1")],
            {"paraphrase_from": 2},
            "a.tsv: labels are sides and no numbers. Leave out --paraphrase-from.",
        ),
        (
            [Cells("0"), Cells("3")],
            {"votes": (3, 4), "paraphrase_from": 2},
            "a.tsv: labels are grades and no votes. Leave out --votes.",
        ),
        (
            [Cells("0", "2.5"), Cells("2", "4.5")],
            {"paraphrase_from": 4},
            "a.tsv: both the label and the grade are numbers. Say which one is to be left out: "
            "--columns label=- or --columns grade=-.",
        ),
        (
            [Cells(""), Cells("-")],
            {},
            "a.tsv: no row has a label. Say which column has: --columns label=NAME.",
        ),
        (
            [Cells(grade="4.5"), Cells(grade="1e400")],
            {"paraphrase_from": 4},
            "a.tsv: its labels are no numbers: 1e400. Say which column has: --columns label=NAME.",
        ),
    ],
)
def test_a_choice_that_labels_contradict_is_refused(cells, choices, message):
    with pytest.raises(UnusableSet) as refusal:
        labels(cells, **choices)
    assert str(refusal.value) == message
