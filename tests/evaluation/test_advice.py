"""Remarks on a table of models, and advice from a learning curve about more annotation."""

import pytest

from evaluation.advice import BELOW, BELOW_OVERLAP, OVERLAPS, gain, remarks
from evaluation.board import Entry, Span
from evaluation.charts import chart


def figures(*gains, tested=1000, before=0.6, chance=0.4):
    """Of one model whose AUC-PR changes by this much for each seed."""

    def point(pairs, values):
        span = {"mean": sum(values) / len(values), "low": min(values), "high": max(values)}
        seeds = [{"average_precision": value} for value in values]
        return {"pairs": pairs, "average_precision": span, "seeds": seeds}

    points = [point(75, [before] * len(gains)), point(100, [before + each for each in gains])]
    test = {"pairs": tested, "paraphrases": round(chance * tested)}
    return {"sets": {"test": test}, "models": [{"model": "bow", "points": points}]}


@pytest.mark.parametrize(
    ("gains", "tested", "verdict"),
    [
        ((0.05, 0.06, 0.07), 1000, "rising"),
        ((0.05, 0.06, 0.07), 100, "slight"),
        ((0.05, -0.01, 0.07), 1000, "unclear"),
        ((-0.05, -0.01, 0.0), 1000, "level"),
        ((0.05, 0.06), 1000, "few_seeds"),
    ],
)
def test_more_pairs_are_advised_only_if_each_seed_gains_more_than_chance(gains, tested, verdict):
    assert gain(figures(*gains, tested=tested)).verdict == verdict


def test_nothing_is_advised_by_models_that_are_no_better_than_chance():
    assert gain(figures(0.0, 0.0, 0.0, chance=0.6)).verdict == "unlearned"


def test_a_seed_is_compared_with_itself():
    """Each of them rises, though their ranges overlap."""
    of = figures(0.1, 0.1, 0.1)
    points = of["models"][0]["points"]
    for point, more in zip(points, (0.0, 0.1), strict=True):
        values = [0.3 + more, 0.5 + more, 0.7 + more]
        point["seeds"] = [{"average_precision": value} for value in values]
        point["average_precision"] = {"mean": values[1], "low": values[0], "high": values[2]}
    found = gain(of)
    assert (found.verdict, round(found.mean, 6), round(found.margin, 3)) == ("rising", 0.1, 0.03)


def test_one_size_says_nothing():
    of = figures(0.1, 0.1, 0.1)
    del of["models"][0]["points"][0]
    assert gain(of) is None
    assert len(chart(of).series[0].dots) == 1


def test_the_chart_has_a_dot_for_each_size_within_its_grid():
    drawn = chart(figures(0.05, 0.06, 0.07))
    [series] = drawn.series
    assert [x for x, _ in series.dots] == ["75.00%", "100.00%"]
    assert all(0 <= float(y) <= drawn.height for _, y in series.dots)
    assert len(series.lines) == 1


def entry(model, accuracy, *, is_brought=False):
    span = Span(accuracy, accuracy, accuracy)
    return Entry(model, is_brought, None, None, span, None, None, None, None, ())


@pytest.mark.parametrize(
    ("accuracies", "said"),
    [
        ({"never": 0.6, "overlap": 0.6, "bow": 0.6}, []),
        ({"never": 0.6, "overlap": 0.5, "bow": 0.59}, [(BELOW, "overlap, bow")]),
        ({"never": 0.5, "overlap": 0.7, "bow": 0.6, "esim": 0.69}, [(OVERLAPS, "bow, esim")]),
        ({"never": 0.5, "overlap": 0.7, "bow": 0.6, "esim": 0.7}, [(BELOW_OVERLAP, "bow")]),
        ({"never": 0.5, "overlap": 0.7}, []),
        ({"bow": 0.1}, []),
    ],
)
def test_models_below_the_simplest_ones_are_named(accuracies, said):
    entries = [entry(name, accuracy) for name, accuracy in accuracies.items()]
    assert [(each.message, each.values["models"]) for each in remarks(entries)] == said


def test_a_brought_model_is_compared_whatever_its_name():
    entries = [entry("never", 0.5), entry("overlap", 0.7), entry("never", 0.4, is_brought=True)]
    assert [(each.message, each.values["models"]) for each in remarks(entries)] == [
        (BELOW, "never"),
        (OVERLAPS, "never"),
    ]
