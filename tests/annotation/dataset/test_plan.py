from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from math import sqrt
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.dataset.plan import ReleasePlan, plan
from annotation.dataset.rows import LeftOut, PairRow, ReleasedPair, SentenceRow
from annotation.dataset.settings import ReleaseSettings
from tests.annotation.dataset.studies import Study, study

SETTINGS = ReleaseSettings(seed=7, dev=0.2, test=0.2)
BALANCED = replace(SETTINGS, paraphrase_share=0.3)

studies = st.builds(study, st.integers(0, 2**32), st.integers(3, 30))


def planned(some: Study, chosen: ReleaseSettings = SETTINGS) -> ReleasePlan:
    return plan(some.sentences, some.pairs, some.candidates, settings=chosen)


def connected_texts(some: Study, made: ReleasePlan) -> list[set[str]]:
    """Texts that sources, rewrites, groups and pairs connect, by joining sets until none touch."""
    text = made.texts
    links = [{row.text, text[row.source]} for row in some.sentences]
    links += [{text[row.sentence1], text[row.sentence2]} for row in some.pairs]
    groups: defaultdict[str, set[str]] = defaultdict(set)
    for row in some.sentences:
        if row.group:
            groups[row.group].add(row.text)
    families: list[set[str]] = []
    for link in (*links, *groups.values()):
        touching = [family for family in families if not family.isdisjoint(link)]
        families = [family for family in families if family.isdisjoint(link)]
        families.append(link.union(*touching))
    return families


@settings(max_examples=40)
@given(studies)
def test_no_family_crosses_a_split(some: Study) -> None:
    made = planned(some)
    for family in connected_texts(some, made):
        splits = {p.split for p in made.pairs if p.split and made.texts[p.sentence1] in family}
        assert len(splits) <= 1


@settings(max_examples=40)
@given(studies)
def test_unjudged_pairs_share_no_text_with_another_split(some: Study) -> None:
    made = planned(some)
    splits: defaultdict[str, set[str]] = defaultdict(set)
    for pair in (*made.pairs, *made.silver):
        if pair.split:
            splits[made.texts[pair.sentence1]].add(pair.split)
            splits[made.texts[pair.sentence2]].add(pair.split)
    assert all(len(found) == 1 for found in splits.values())


@settings(max_examples=40)
@given(studies)
def test_pairs_of_equal_sentences_are_in_train_or_nowhere(some: Study) -> None:
    made = planned(some)
    for pair in made.pairs:
        if made.texts[pair.sentence1] == made.texts[pair.sentence2]:
            assert pair.split in {"train", None}


@settings(max_examples=40)
@given(studies, st.sampled_from([SETTINGS, BALANCED]))
def test_every_pair_stands_where_its_label_and_method_put_it(
    some: Study, chosen: ReleaseSettings
) -> None:
    final = {pair.label for pair in planned(some).pairs if pair.subset == "labeled_final"}
    assume(final == {0, 1})
    made = planned(some, chosen)
    for pair in made.pairs:
        assert pair.kept == (pair.label is not None)
        assert (pair.subset == "low_agreement") <= (not pair.kept)
        assert (pair.subset in {"labeled_final", "labeled_swap"}) == (pair.split is not None)
        assert (pair.subset == "labeled_swap") <= (pair.method == "word_swap")
        assert (pair.votes is None) == (pair.origin == "recombined") == bool(pair.via)


@settings(max_examples=25)
@given(studies, st.randoms(use_true_random=False))
def test_the_order_of_rows_has_no_effect(some: Study, random: Random) -> None:
    other = replace_lists(some, random)
    assert planned(other) == planned(some)


def replace_lists(some: Study, random: Random) -> Study:
    turned = [
        PairRow(row.id, *random.sample((row.sentence1, row.sentence2), 2), row.method, row.tally)
        for row in some.pairs
    ]
    return Study(
        some.random,
        random.sample(some.sentences, len(some.sentences)),
        random.sample(turned, len(turned)),
        random.sample(some.candidates, len(some.candidates)),
    )


@settings(max_examples=25)
@given(studies)
def test_candidates_have_no_effect_on_judged_pairs(some: Study) -> None:
    assert plan(some.sentences, some.pairs, settings=SETTINGS).pairs == planned(some).pairs


def test_another_seed_is_another_release() -> None:
    some = study()
    assert planned(some).pairs != planned(some, replace(SETTINGS, seed=8)).pairs


def test_ids_run_upwards() -> None:
    made = planned(study())
    for rows in (made.pairs, made.silver):
        assert all(one.id < other.id for one, other in pairwise(rows))


def test_every_subset_and_split_is_filled() -> None:
    made = planned(study(2, families=200))
    assert {(pair.subset, pair.split) for pair in made.pairs} >= {
        ("labeled_final", "train"),
        ("labeled_final", "dev"),
        ("labeled_final", "test"),
        ("labeled_swap", "train"),
        ("low_agreement", None),
        (None, None),
    }
    assert {pair.split for pair in made.silver} == {"train", "dev"}
    assert made.silver_left_out > 0


@pytest.mark.parametrize(
    ("shares", "place"),
    [
        ({"dev": 0.0, "test": 0.0}, ("labeled_final", "train")),
        ({"dev": 0.0, "test": 1.0}, (None, None)),
        ({"dev": 1.0, "test": 0.0}, (None, None)),
    ],
)
def test_a_swap_fixed_back_to_its_source_serves_for_training_only(
    shares: dict[str, float], place: tuple[str | None, str | None]
) -> None:
    some = Study(Random(1))
    source = some.source()
    same = some.judged(source, some.rewrite(source, "word_swap", text=source.text), 5, "word_swap")
    some.judged(source, some.rewrite(source, "back_translation"), 5, "back_translation")
    made = {pair.id: pair for pair in planned(some, ReleaseSettings(**shares)).pairs}
    assert (made[same.id].subset, made[same.id].split) == place
    assert made[same.id].label == 1


def test_downsampling_keeps_what_it_drops_without_a_subset() -> None:
    full, made = planned(study()), planned(study(), BALANCED)
    assert [pair.id for pair in made.pairs] == [pair.id for pair in full.pairs]
    dropped = sum(pair.subset is None for pair in made.pairs)
    assert dropped == sum(made.left_out[reason] for reason in (LeftOut.SURPLUS, LeftOut.EQUAL))


@settings(max_examples=40)
@given(st.builds(study, st.integers(0, 2**32), st.just(40)), st.sampled_from([0.3, 0.442, 0.5]))
def test_the_share_of_paraphrases_is_exact_to_the_pair(some: Study, share: float) -> None:
    """Also where pairs of equal sentences had to leave dev and test."""
    made = planned(some, replace(SETTINGS, paraphrase_share=share))
    final = [pair.label for pair in made.pairs if pair.subset == "labeled_final"]
    assert abs(final.count(1) - share * len(final)) < 1


@settings(max_examples=40)
@given(studies)
def test_dev_and_test_are_within_one_family_of_their_size(some: Study) -> None:
    made = planned(some)
    splits = Counter(p.split for p in made.pairs if p.subset == "labeled_final")
    for split in ("dev", "test"):
        lacking = made.wanted["labeled_final", split].pairs - splits[split]
        assert 0 <= lacking <= max((family.pairs for family in made.largest), default=0)


@settings(max_examples=25)
@given(studies)
def test_in_every_table_about_half_of_the_originals_stand_first(some: Study) -> None:
    made = planned(some)
    origins: dict[str, str | None] = {"": None}
    origins |= {row.id: row.rewritten_from for row in (*some.sentences, *some.candidates)}
    first: defaultdict[str | None, list[bool]] = defaultdict(list)
    for pair in (*made.pairs, *made.silver):
        if pair.sentence1 in (origins[pair.sentence2], origins[origins[pair.sentence2] or ""]):
            first[pair.split].append(True)
        elif pair.sentence2 in (origins[pair.sentence1], origins[origins[pair.sentence1] or ""]):
            first[pair.split].append(False)
    for sides in first.values():
        # Five standard deviations of a fair coin.
        assert abs(sum(sides) - len(sides) / 2) <= 2.5 * sqrt(len(sides))


def test_recombination_can_be_switched_off() -> None:
    made = planned(study(), replace(SETTINGS, recombine=False))
    assert {pair.origin for pair in made.pairs} == {"judged"}
    assert "recombined" not in {pair.method for pair in made.silver}


def family_of_three() -> Study:
    """The example of the paper: a swap, and back translations of both of its sentences."""
    some = Study(Random(1))
    source = some.source()
    swap = some.rewrite(source, "word_swap")
    some.judged(source, swap, 0, "word_swap")
    for sentence in (source, swap):
        back = some.rewrite(sentence, "back_translation")
        some.judged(sentence, back, 5, "back_translation")
    return some


def test_the_example_of_the_paper_makes_six_pairs() -> None:
    made = planned(family_of_three())
    assert sorted((pair.origin, pair.label) for pair in made.pairs) == [
        ("judged", 0),
        ("judged", 1),
        ("judged", 1),
        ("recombined", 0),
        ("recombined", 0),
        ("recombined", 0),
    ]
    assert {pair.subset for pair in made.pairs} == {"labeled_final"}


def test_unjudged_candidates_take_the_label_of_their_method() -> None:
    some = Study(Random(1))
    source = some.source().id
    while len({row.method for row in some.candidates}) < 3:
        some.candidate(source)
    labels = {pair.method: pair.noisy_label for pair in planned(some).silver}
    assert labels == {"word_swap": 0, "back_translation": 1, "recombined": 0}


def test_a_tally_shorter_than_the_scale_is_refused() -> None:
    with pytest.raises(ValueError, match="not a tally"):
        planned(family_of_three(), ReleaseSettings(max_label=3))


def test_a_sentence_that_is_missing_is_refused() -> None:
    some = family_of_three()
    missing = some.sentences.pop().id
    with pytest.raises(ValueError, match=f"{missing} is referred to"):
        planned(some)


def test_an_id_that_comes_twice_is_refused() -> None:
    some = family_of_three()
    some.pairs.append(some.pairs[0])
    with pytest.raises(ValueError, match="comes twice"):
        planned(some)


def test_graded_labels_are_released_as_votes_for_two_sides() -> None:
    rows = [SentenceRow("a", "A.", "a"), SentenceRow("b", "B.", "b")]
    parade = ReleaseSettings(
        annotators_per_pair=3, consensus_min_votes=2, max_label=3, paraphrase_from=2
    )
    made = plan(rows, [PairRow("p", "a", "b", "imported", (0, 1, 1, 1))], settings=parade)
    (pair,) = made.pairs
    assert isinstance(pair, ReleasedPair)
    assert (pair.votes, pair.label, pair.subset) == ((1, 2), 1, "labeled_final")
