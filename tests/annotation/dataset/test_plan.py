"""What stands in a release and where: settings, and rules that the plan of any study keeps."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.dataset.plan import plan
from annotation.dataset.rows import LeftOut, PairRow, SentenceRow
from annotation.dataset.settings import ReleaseSettings
from annotation.stats.consensus import Protocol
from tests.annotation.dataset.studies import SETTINGS, planned, study

SEEDS = st.integers(0, 2**32)
studies = st.builds(study, SEEDS, st.integers(3, 30))
OTHER = ReleaseSettings(
    seed=7, dev=8000, paraphrase_share=0.442, recombination_reach=None, decides_early=True,
    swap_methods=("word_swap", "partial"), noisy_labels={"word_swap": 0},
    annotators_per_pair=3, consensus_min_votes=2, max_label=3, paraphrase_from=2,
)  # fmt: skip
BEFORE = {
    "seed": 0, "annotators_per_pair": 5, "consensus_min_votes": 4, "max_label": 1,
    "paraphrase_from": 1, "dev": 0.1, "test": 0.1, "unlabeled_dev": 0.1, "paraphrase_share": None,
    "recombine": True, "recombination_reach": 1, "swap_methods": ["word_swap"],
    "noisy_labels": {"word_swap": 0, "back_translation": 1},
}  # fmt: skip


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
    graded = replace(OTHER, dev=0, paraphrase_share=None)
    (pair,) = plan(rows, [PairRow("p", "a", "b", "imported", (0, 1, 1, 1))], settings=graded).pairs
    assert (pair.votes, pair.label, pair.subset) == ((1, 2), 1, "labeled_final")


def test_settings_come_back_from_json_as_they_were():
    for settings in (ReleaseSettings(), OTHER):
        assert ReleaseSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert ReleaseSettings.from_dict({"seed": 7}) == ReleaseSettings(seed=7)
    assert OTHER.protocol == Protocol(3, 2, 3, 2, decides_early=True)
    # Releases that were made before `decides_early` are written as they were.
    assert ReleaseSettings.from_dict(BEFORE).to_dict() == BEFORE


def test_a_setting_that_means_nothing_is_refused():
    for wrong, why in (
        ({"sede": 7, "last": 1}, "no such settings: last, sede"),
        ({"dev": -1}, "dev is -1, neither a whole number of pairs nor a share from 0 to 1"),
        ({"test": 1.5}, "test is 1.5, neither"),
        ({"test": float("nan")}, "test is nan, neither"),
        ({"unlabeled_dev": -0.1}, "unlabeled_dev is -0.1, neither"),
        ({"paraphrase_share": 0.0}, "paraphrase_share is 0.0, not a share between 0 and 1"),
        ({"paraphrase_share": 1.0}, "paraphrase_share is 1.0, not a share"),
        ({"recombination_reach": 0}, "recombination_reach is 0; it is at least 1"),
        ({"noisy_labels": {"word_swap": 2}}, "label of word_swap is 2, neither 0 nor 1"),
        ({"consensus_min_votes": 6}, "6 of 5 votes cannot agree"),
        ({"paraphrase_from": 2}, "on each side"),
    ):
        with pytest.raises(ValueError, match=why):
            ReleaseSettings.from_dict(wrong)
    assert ReleaseSettings.from_dict({"dev": 0, "test": 1.0, "unlabeled_dev": 2}).test == 1
