"""Agreement in words and numbers, as the report prints it."""

import pytest

from annotation.stats import agreement_tables, measures
from annotation.stats.aggregation import Comparison
from annotation.stats.measures import Estimate

VOTES = {(5, 0): 31, (4, 1): 5, (3, 2): 4, (1, 4): 3, (0, 5): 8}


def test_overall_has_a_column_before_and_one_after_the_filter():
    rows = agreement_tables.overall(measures.filtered(VOTES), graded=False)
    assert rows[:2] == [("", "All", "Kept"), ("Decided pairs", "51", "47")]
    assert [row[0] for row in rows[2:]] == [
        "Human agreement",
        "Fleiss' kappa",
        "Krippendorff's alpha",
    ]
    assert rows[2][1].startswith("93.7% (")


def test_grades_have_a_line_more():
    rows = agreement_tables.overall(measures.filtered(VOTES), graded=True)
    assert rows[-1][0] == "  ordinal"


def test_each_part_has_a_line():
    header, line = agreement_tables.parts([("word swap", measures.filtered(VOTES))])
    assert len(header) == len(line)
    assert (line[0], line[1], line[5]) == ("word swap", "51", "47")


def test_models_are_set_beside_the_majority():
    rows = agreement_tables.crowd({"MACE": Comparison(47_290, 1_911, 0, 9_183)})
    assert rows[1] == ("MACE", "47,290", "1,911", "0", "9,183")


@pytest.mark.parametrize(
    ("estimate", "share", "coefficient"),
    [
        (Estimate(None), "-", "-"),
        (Estimate(0.947), "94.7%", "0.947"),
        (Estimate(0.947, (0.9454, 0.949)), "94.7% (94.5 to 94.9)", "0.947 (0.945 to 0.949)"),
        (Estimate(-0.25), "-25.0%", "-0.250"),
    ],
)
def test_estimates_are_printed_with_their_intervals(estimate, share, coefficient):
    assert agreement_tables.share(estimate) == share
    assert agreement_tables.coefficient(estimate) == coefficient
