"""Non-experts against a release: the six rows of PARADE's Table 10 from their confusions."""

from dataclasses import astuple

import pytest

from annotation.stats.binary import Confusion, Scores, confusion, mean

# With 100 cases and two digits, five rows of Table 10 have one confusion each; PAWS has three.
TABLE_10 = [
    ("MRPC", (46, 14, 16, 24), (0.70, 0.75, 0.77, 0.74)),
    ("QQP", (20, 20, 6, 54), (0.74, 0.61, 0.50, 0.77)),
    ("PAWS", (37, 6, 4, 53), (0.90, 0.88, 0.86, 0.90)),
    ("Twitter-URL", (12, 6, 4, 78), (0.90, 0.71, 0.67, 0.75)),
    ("PIT-2015", (16, 4, 6, 74), (0.90, 0.76, 0.80, 0.73)),
    ("PARADE", (24, 29, 9, 38), (0.62, 0.56, 0.45, 0.73)),
]


@pytest.mark.parametrize(("dataset", "counts", "row"), TABLE_10)
def test_table_10_follows_from_its_confusions(dataset, counts, row):
    tp, fp, fn, tn = counts
    answers = [(1, 1)] * tp + [(1, 0)] * fp + [(0, 1)] * fn + [(0, 0)] * tn
    found = confusion(answers)
    rounded = tuple(round(score, 2) for score in astuple(found.scores))
    assert (found.pairs, rounded) == (100, row)


def test_undefined_scores_are_none_and_left_out_of_the_mean():
    never_yes = Confusion(fn=1, tn=1).scores
    assert never_yes == Scores(accuracy=0.5, f1=0.0, precision=None, recall=0.0)
    both = mean([never_yes, Confusion(tp=1).scores])
    assert both == Scores(accuracy=0.75, f1=0.5, precision=1.0, recall=0.5)
    assert mean([]) == Confusion().scores == Scores()
