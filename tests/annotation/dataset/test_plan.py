"""What stands in a release and where: rules that the plan of any study keeps, and its refusals."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.plan import plan
from annotation.dataset.rows import LeftOut, PairRow, SentenceRow
from annotation.dataset.settings import ReleaseSettings
from tests.annotation.dataset.studies import SETTINGS, Study, planned, study

SEEDS = st.integers(0, 2**32)
studies = st.builds(study, SEEDS, st.integers(3, 30))


@given(studies, st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_candidates_change_judged_pairs(some, random):
    made = planned(some)
    turned = [
        PairRow(row.id, *random.sample((row.sentence1, row.sentence2), 2), row.method, row.tally)
        for row in random.sample(some.pairs, len(some.pairs))
    ]
    sentences = random.sample(some.sentences, len(some.sentences))
    mixed = random.sample(some.candidates, len(some.candidates))
    assert plan(sentences, turned, mixed, settings=SETTINGS) == made
    assert plan(some.sentences, some.pairs, settings=SETTINGS).pairs == made.pairs


@given(st.builds(study, SEEDS, st.just(40)), st.sampled_from([0.3, 0.442, 0.5]))
def test_the_share_of_paraphrases_is_exact_to_the_pair(some, share):
    """Also where pairs of equal sentences had to leave dev and test."""
    made = planned(some, replace(SETTINGS, paraphrase_share=share))
    final = [pair.label for pair in made.pairs if pair.subset == "labeled_final"]
    assert abs(final.count(1) - share * len(final)) < 1
    dropped = sum(pair.kept and pair.subset is None for pair in made.pairs)
    assert dropped == made.left_out.get(LeftOut.SURPLUS, 0) + made.left_out.get(LeftOut.EQUAL, 0)


def test_every_subset_and_split_is_filled_and_another_seed_fills_them_otherwise():
    some = study(2, families=200)
    made = planned(some)
    assert {(pair.subset, pair.split) for pair in made.pairs} == {
        *(("labeled_final", split) for split in ("train", "dev", "test")),
        *(("labeled_swap", "train"), ("low_agreement", None), (None, None)),
    }
    assert {pair.split for pair in made.silver} == {"train", "dev"}
    assert made.silver_left_out > 0
    for rows in (made.pairs, made.silver):
        assert all(one.id < other.id for one, other in pairwise(rows))
    assert made.pairs != planned(some, replace(SETTINGS, seed=8)).pairs
    judged = planned(some, replace(SETTINGS, recombine=False))
    assert {pair.origin for pair in judged.pairs} == {"judged"}
    assert (judged.conflicts, judged.unknown) == (0, 0)
    assert "recombined" not in {pair.method for pair in judged.silver}


def test_a_swap_fixed_back_to_its_source_serves_for_training_only():
    some = Study(Random(1))
    source = some.source()
    same = some.judged(source, some.rewrite(source, "word_swap", text=source.text), 5, "word_swap")
    some.judged(source, some.rewrite(source, "back_translation"), 5, "back_translation")
    for dev, test, place in (
        (0.0, 0.0, ("labeled_final", "train", 1)),
        (0.0, 1.0, (None, None, 1)),
        (1.0, 0.0, (None, None, 1)),
    ):
        made = planned(some, ReleaseSettings(dev=dev, test=test)).pairs
        [found] = [pair for pair in made if pair.id == same.id]
        assert (found.subset, found.split, found.label) == place


def test_rows_that_do_not_fit_together_are_refused():
    some = study(families=3)
    with pytest.raises(ValueError, match="not a tally"):
        planned(some, ReleaseSettings(max_label=3))
    some.pairs.append(some.pairs[0])
    with pytest.raises(ValueError, match="comes twice"):
        planned(some)
    some = study(families=3)
    missing = some.sentences.pop().id
    with pytest.raises(ValueError, match=f"{missing} is referred to"):
        planned(some)


def test_graded_labels_are_released_as_votes_for_two_sides():
    rows = [SentenceRow("a", "A.", "a"), SentenceRow("b", "B.", "b")]
    grades = {"annotators_per_pair": 3, "consensus_min_votes": 2}
    parade = ReleaseSettings(**grades, max_label=3, paraphrase_from=2)
    made = plan(rows, [PairRow("p", "a", "b", "imported", (0, 1, 1, 1))], settings=parade)
    (pair,) = made.pairs
    assert (pair.votes, pair.label, pair.subset) == ((1, 2), 1, "labeled_final")
