from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics import agreement as nltk_agreement
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss_kappa

from annotation.stats.agreement import (
    cohen_kappa,
    fleiss_kappa,
    human_agreement,
    krippendorff_alpha,
    ordinal,
)

Labels = list[list[int]]

judged_by_four = st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=2)
judged_by_some = st.lists(st.lists(st.integers(0, 2), min_size=2, max_size=6), min_size=2)

# The worked example of Krippendorff (2011): four observers, twelve units, gaps left out.
OBSERVED = [
    *([1, 1, 1], [2, 2, 3, 2], [3] * 4, [3] * 4, [2] * 4, [1, 2, 3, 4]),
    *([4] * 4, [1, 1, 2, 1], [2] * 4, [5, 5, 5], [1, 1], [3]),
]


def table(pairs: Labels, scale: int = 3) -> Counter[tuple[int, ...]]:
    """Tallies of labels 0 to scale - 1."""
    return Counter(tuple(labels.count(label) for label in range(scale)) for labels in pairs)


def triples(pairs: Labels) -> list[tuple[int, int, int]]:
    """As nltk takes them: rater, pair, label."""
    return [
        (rater, pair, label)
        for pair, labels in enumerate(pairs)
        for rater, label in enumerate(labels)
    ]


def test_human_agreement_is_the_share_of_labels_with_the_majority() -> None:
    assert human_agreement({(5, 0): 2, (2, 3): 1}) == pytest.approx(13 / 15)


def test_human_agreement_without_judgments_is_undefined() -> None:
    assert human_agreement({}) is None


@given(judged_by_four)
def test_fleiss_kappa_is_that_of_statsmodels(pairs: Labels) -> None:
    assume(len({label for labels in pairs for label in labels}) > 1)
    counts = np.array([[labels.count(label) for label in range(3)] for labels in pairs])
    assert fleiss_kappa(table(pairs)) == pytest.approx(statsmodels_fleiss_kappa(counts))


@given(judged_by_some)
def test_alpha_is_that_of_nltk(pairs: Labels) -> None:
    assume(len({label for labels in pairs for label in labels}) > 1)
    expected = nltk_agreement.AnnotationTask(triples(pairs)).alpha()
    assert krippendorff_alpha(table(pairs)) == pytest.approx(expected)


@given(judged_by_some)
def test_ordinal_alpha_is_that_of_nltk(pairs: Labels) -> None:
    """nltk knows no ordinal distance, but takes any: labels given between two, counted by hand."""
    given_labels = [label for labels in pairs for label in labels]
    assume(len(set(given_labels)) > 1)

    def apart(one: int, other: int) -> float:
        low, high = sorted((one, other))
        within = sum(low <= label <= high for label in given_labels)
        return (within - (given_labels.count(low) + given_labels.count(high)) / 2) ** 2

    task = nltk_agreement.AnnotationTask(triples(pairs), distance=apart)
    assert krippendorff_alpha(table(pairs), distance=ordinal) == pytest.approx(task.alpha())


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1))
def test_cohen_kappa_is_that_of_scikit_learn(answers: list[tuple[int, int]]) -> None:
    assume(len({label for answer in answers for label in answer}) > 1)
    first, second = zip(*answers, strict=True)
    assert cohen_kappa(answers) == pytest.approx(cohen_kappa_score(first, second))


def test_alpha_of_krippendorffs_example() -> None:
    votes = table([[label - 1 for label in labels] for labels in OBSERVED], scale=5)
    assert krippendorff_alpha(votes) == pytest.approx(0.743, abs=5e-4)
    assert krippendorff_alpha(votes, distance=ordinal) == pytest.approx(0.815, abs=5e-4)


@given(judged_by_some)
def test_ordinal_alpha_of_two_labels_is_nominal_alpha(pairs: Labels) -> None:
    binary = table([[min(label, 1) for label in labels] for labels in pairs], scale=2)
    assert krippendorff_alpha(binary, distance=ordinal) == pytest.approx(krippendorff_alpha(binary))


@pytest.mark.parametrize("votes", [{}, {(1, 0): 7}, {(5, 0): 9}, {(0, 5): 1}, {(3, 2): 0}])
@pytest.mark.parametrize("measure", [fleiss_kappa, krippendorff_alpha])
def test_where_chance_or_nothing_decides_a_measure_is_undefined(measure, votes) -> None:  # type: ignore[no-untyped-def]
    assert measure(votes) is None


def test_full_agreement_on_both_labels_is_one() -> None:
    assert fleiss_kappa({(5, 0): 3, (0, 5): 4}) == pytest.approx(1)
    assert krippendorff_alpha({(5, 0): 3, (0, 5): 4}) == pytest.approx(1)


def test_pairs_judged_once_change_nothing() -> None:
    votes = {(4, 1): 3, (1, 4): 2}
    assert krippendorff_alpha(votes | {(1, 0): 50}) == krippendorff_alpha(votes)


def test_fleiss_kappa_refuses_different_numbers_of_raters() -> None:
    with pytest.raises(ValueError, match="different numbers"):
        fleiss_kappa({(5, 0): 1, (3, 1): 1})


@pytest.mark.parametrize("answers", [[], [(1, 1)] * 4])
def test_cohen_kappa_of_equal_labels_is_undefined(answers: list[tuple[int, int]]) -> None:
    assert cohen_kappa(answers) is None
