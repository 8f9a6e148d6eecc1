"""What stands in a release and where: rules that the plan of any study keeps, and its refusals."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from annotation.dataset.plan import plan
from annotation.dataset.rows import LeftOut, PairRow, SentenceRow
from annotation.dataset.settings import ReleaseSettings
from tests.annotation.dataset.studies import SETTINGS, Study, planned, study

BALANCED = replace(SETTINGS, paraphrase_share=0.3)
SEEDS = st.integers(0, 2**32)
studies = st.builds(study, SEEDS, st.integers(3, 30))


def connected_texts(some, made):
    """Texts that sources, rewrites, groups and pairs connect, by joining sets until none touch."""
    text = made.texts
    links = [{row.text, text[row.source]} for row in some.sentences]
    links += [{text[row.sentence1], text[row.sentence2]} for row in some.pairs]
    groups = defaultdict(set)
    for row in some.sentences:
        if row.group:
            groups[row.group].add(row.text)
    families = []
    for link in (*links, *groups.values()):
        touching = [family for family in families if not family.isdisjoint(link)]
        families = [family for family in families if family.isdisjoint(link)]
        families.append(link.union(*touching))
    return families


@given(studies)
def test_no_family_crosses_a_split_and_none_is_tested_on_that_is_trained_on(some):
    made = planned(some)
    for family in connected_texts(some, made):
        splits = {p.split for p in made.pairs if p.split and made.texts[p.sentence1] in family}
        assert len(splits) <= 1
    splits_of = defaultdict(set)
    for pair in (*made.pairs, *made.silver):
        for sentence in (pair.sentence1, pair.sentence2):
            splits_of[made.texts[sentence]] |= {pair.split} - {None}
    assert all(len(found) <= 1 for found in splits_of.values())


@given(studies)
def test_dev_and_test_are_within_one_family_of_their_size_and_hold_no_equal_sentences(some):
    made = planned(some)
    splits = Counter(p.split for p in made.pairs if p.subset == "labeled_final")
    for split in ("dev", "test"):
        lacking = made.wanted["labeled_final", split].pairs - splits[split]
        assert 0 <= lacking <= max((family.pairs for family in made.largest), default=0)
    for pair in made.pairs:
        if made.texts[pair.sentence1] == made.texts[pair.sentence2]:
            assert pair.split in {"train", None}


@given(studies, st.sampled_from([SETTINGS, BALANCED]))
def test_every_pair_stands_where_its_label_and_method_put_it(some, chosen):
    final = {pair.label for pair in planned(some).pairs if pair.subset == "labeled_final"}
    assume(final == {0, 1})
    made = planned(some, chosen)
    for pair in made.pairs:
        assert pair.kept == (pair.label is not None)
        assert (pair.subset == "low_agreement") <= (not pair.kept)
        assert (pair.subset in {"labeled_final", "labeled_swap"}) == (pair.split is not None)
        assert (pair.subset == "labeled_swap") <= (pair.method == "word_swap")
        assert (pair.votes is None) == (pair.origin == "recombined") == bool(pair.via)
    for rows in (made.pairs, made.silver):
        assert all(one.id < other.id for one, other in pairwise(rows))


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


@given(studies)
def test_in_every_table_about_half_of_the_originals_stand_first(some):
    made = planned(some)
    parents = {row.id: row.rewritten_from for row in (*some.sentences, *some.candidates)} | {"": ""}
    first = defaultdict(list)
    for pair in (*made.pairs, *made.silver):
        for one, other, is_first in (
            (pair.sentence1, pair.sentence2, True),
            (pair.sentence2, pair.sentence1, False),
        ):
            if one in (parents[other], parents[parents[other] or ""]):
                first[pair.split].append(is_first)
    for sides in first.values():
        # Five standard deviations of a fair coin.
        assert abs(sum(sides) - len(sides) / 2) <= 2.5 * sqrt(len(sides))


def test_every_subset_and_split_is_filled_and_another_seed_fills_them_otherwise():
    some = study(2, families=200)
    made = planned(some)
    assert {(pair.subset, pair.split) for pair in made.pairs} == {
        *(("labeled_final", split) for split in ("train", "dev", "test")),
        *(("labeled_swap", "train"), ("low_agreement", None), (None, None)),
    }
    assert {pair.split for pair in made.silver} == {"train", "dev"}
    assert made.silver_left_out > 0
    assert made.pairs != planned(some, replace(SETTINGS, seed=8)).pairs


def test_recombination_can_be_switched_off():
    made = planned(study(), replace(SETTINGS, recombine=False))
    assert {pair.origin for pair in made.pairs} == {"judged"}
    assert "recombined" not in {pair.method for pair in made.silver}


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


def family_of_three():
    """The example of the paper: a swap, and back translations of both of its sentences."""
    some = Study(Random(1))
    source = some.source()
    swap = some.rewrite(source, "word_swap")
    some.judged(source, swap, 0, "word_swap")
    for sentence in (source, swap):
        back = some.rewrite(sentence, "back_translation")
        some.judged(sentence, back, 5, "back_translation")
    return some


def test_the_example_of_the_paper_makes_six_pairs():
    made = planned(family_of_three())
    labels = sorted((pair.origin, pair.label) for pair in made.pairs)
    assert labels == [("judged", 0), *[("judged", 1)] * 2, *[("recombined", 0)] * 3]
    assert {pair.subset for pair in made.pairs} == {"labeled_final"}


def test_rows_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match="not a tally"):
        planned(family_of_three(), ReleaseSettings(max_label=3))
    some = family_of_three()
    missing = some.sentences.pop().id
    with pytest.raises(ValueError, match=f"{missing} is referred to"):
        planned(some)
    some = family_of_three()
    some.pairs.append(some.pairs[0])
    with pytest.raises(ValueError, match="comes twice"):
        planned(some)


def test_graded_labels_are_released_as_votes_for_two_sides():
    rows = [SentenceRow("a", "A.", "a"), SentenceRow("b", "B.", "b")]
    grades = {"annotators_per_pair": 3, "consensus_min_votes": 2}
    parade = ReleaseSettings(**grades, max_label=3, paraphrase_from=2)
    made = plan(rows, [PairRow("p", "a", "b", "imported", (0, 1, 1, 1))], settings=parade)
    (pair,) = made.pairs
    assert (pair.votes, pair.label, pair.subset) == ((1, 2), 1, "labeled_final")
