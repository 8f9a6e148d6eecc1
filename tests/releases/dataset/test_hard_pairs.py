"""The plan of a release of pairs that a model gets wrong."""

from dataclasses import replace

import pytest

from releases.dataset.plan import plan
from releases.dataset.rows import CandidateRow, LeftOut, PairRow, SentenceRow
from releases.dataset.settings import ReleaseSettings
from tests.releases.dataset.label_studies import SIMILARITY, settings_of
from tests.releases.dataset.studies import SETTINGS, planned, study

HARD = replace(SETTINGS, hard_for="judge 7")


@pytest.fixture(scope="module")
def some():
    return study(families=60)


def label_of_people(row):
    return int(row.tally[1] > row.tally[0])


def test_pairs_are_composed_only_from_those_that_the_model_gets_wrong(some):
    right = {row.id for row in some.pairs[::3]}
    labels = {row.id: abs(label_of_people(row) - (row.id not in right)) for row in some.pairs}
    made = planned(some, HARD, model_labels=labels)
    composed = [pair for pair in made.pairs if pair.origin == "recombined"]
    assert composed
    assert right.isdisjoint(key for pair in composed for key in pair.via)
    easy = [pair.id for pair in made.pairs if pair.kept and pair.id in right]
    assert made.left_out[LeftOut.EASY] == len(easy)
    assert {pair.subset for pair in made.pairs if pair.id in easy} == {None}


@pytest.mark.parametrize(("layout", "left_out"), [(3, 0), (4, 1)])
def test_texts_of_easy_pairs_are_not_in_unlabeled_final_from_the_fourth_layout_on(layout, left_out):
    sentences = [
        SentenceRow("s1", "source", "s1"),
        SentenceRow("s2", "swapped", "s1", "s1", "word_swap"),
    ]
    easy = PairRow("p", "s1", "s2", "word_swap", (5, 0))
    candidate = CandidateRow("c", "s1", "swapped", "word_swap")
    settings = replace(HARD, layout=layout, dev=0, test=0)
    made = plan(sentences, [easy], [candidate], settings=settings, model_labels={"p": 0})
    assert made.left_out[LeftOut.EASY] == 1
    assert made.left_out[LeftOut.NOISY_EASY] == made.totals["silver_left_out"] == left_out
    assert len(made.silver) == 1 - left_out


def test_nothing_is_left_out_for_a_model_that_is_always_wrong(some):
    labels = {row.id: 1 - label_of_people(row) for row in some.pairs}
    assert planned(some, HARD, model_labels=labels).pairs == planned(some).pairs


def test_pairs_are_hard_only_where_votes_decide_labels():
    with pytest.raises(ValueError, match="only where votes decide"):
        replace(settings_of(SIMILARITY), hard_for="judge 7")


def test_the_setting_is_written_only_where_it_is_used():
    assert "hard_for" not in ReleaseSettings().to_dict()
    assert ReleaseSettings.from_dict(HARD.to_dict()) == HARD
