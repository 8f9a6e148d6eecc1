"""The means and counts over languages are those that PAWS-X prints."""

from random import Random

import pytest

from evaluation.experiments.regimes import (
    count_languages_right,
    counts_by_languages_right,
    mean_over_targets,
)

LANGUAGES = "en fr es de zh ja ko".split()  # noqa: SIM905 the heading of the table
# PAWS-X, Table 4: accuracy and AUC-PR in each language; then the means of Table 5.
TABLES = [
    ("55.8 51.7 47.9 50.2 54.5 55.1 56.7", 52.7),
    ("41.1 48.9 46.8 46.4 50.0 48.7 49.3", 48.4),
    ("54.9 54.7 55.2 55.3 55.9 55.2", 55.2),
    ("46.3 45.5 45.8 50.9 46.8 48.5", 47.3),
    ("67.2 66.2 66.0 63.7 60.3 59.6 54.2", 61.7),
    ("69.6 67.0 64.2 59.2 58.2 56.3 50.5", 59.2),
    ("66.2 66.3 66.0 62.0 62.3 60.6", 63.9),
    ("68.4 69.5 68.2 62.3 61.8 60.3", 65.1),
    ("93.5 89.3 89.0 85.3 82.3 79.2 79.9", 84.2),
    ("97.1 93.6 92.4 92.0 87.4 81.4 82.4", 88.2),
    ("88.7 89.3 88.4 79.3 75.3 72.6", 82.3),
    ("93.8 93.1 92.9 85.1 80.9 80.1", 87.6),
    ("85.2 86.0 82.2 75.8 70.5 71.7", 78.6),
    ("91.0 90.5 89.4 79.6 72.7 75.5", 83.1),
    ("93.8 90.8 90.7 89.2 85.4 83.1 83.9", 87.2),
    ("96.5 94.0 92.9 92.9 88.9 86.0 86.3", 90.2),
]
# Table 6: pairs by the number of languages that are right.
RIGHT = {(0, 0): 32, (1, 2): 52, (3, 4): 140, (5, 6): 542, (7, 7): 1234}
SHARES = [0.016, 0.026, 0.070, 0.271, 0.617]


@pytest.mark.parametrize(("cells", "mean"), TABLES)
def test_means_are_over_the_languages_other_than_the_source(cells, mean):
    scores = [float(cell) for cell in cells.split()]
    by_language = dict(zip(LANGUAGES[-len(scores) :], scores, strict=True))
    assert mean_over_targets(by_language, source="en") == pytest.approx(mean, abs=0.05 + 1e-9)


def test_pairs_are_counted_by_the_languages_that_are_right_over_the_ids_of_all():
    draw, right, pair = Random(7), {language: {} for language in LANGUAGES}, 0
    for (fewest, most), pairs in RIGHT.items():
        for _ in range(pairs):
            pair += 1
            good = draw.sample(LANGUAGES, draw.randint(fewest, most))
            for language in LANGUAGES:
                right[language][f"pair {pair}"] = language in good
    # Pairs that some languages lack change nothing.
    right["ko"]["only Korean"] = right["en"]["not Japanese"] = True
    assert count_languages_right(right).total() == 2000
    found = counts_by_languages_right(right)
    assert {(each.fewest, each.most): each.pairs for each in found} == RIGHT
    assert [each.share for each in found] == pytest.approx(SHARES, abs=0.0005)


def test_few_languages_and_none():
    two = {"de": {"1": True, "2": False}, "fr": {"1": True, "2": True, "3": True}}
    assert [(each.fewest, each.most, each.pairs) for each in counts_by_languages_right(two)] == [
        (0, 0, 0),
        (1, 1, 1),
        (2, 2, 1),
    ]
    one = [(each.fewest, each.pairs) for each in counts_by_languages_right({"de": {"1": True}})]
    assert one == [(0, 0), (1, 1)]
    assert counts_by_languages_right({}) == []
    assert counts_by_languages_right({"de": {"1": True}, "fr": {"2": True}}) == []
    assert mean_over_targets({"en": 90.0}, source="en") is None
