"""What a release contains and where: settings, rules that any plan keeps, and its preview."""

import json
from dataclasses import replace
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.stats.consensus import Protocol
from annotation.stats.labels import scale
from releases.dataset import preview
from releases.dataset.facts import models_by_run
from releases.dataset.plan import plan
from releases.dataset.preview import Notice, Reason
from releases.dataset.rows import CandidateRow, LeftOut, PairRow, SentenceRow
from releases.dataset.settings import ReleaseSettings
from tests.releases.dataset.studies import FACTS, SETTINGS, planned, study

OTHER = ReleaseSettings(
    seed=7, dev=8000, paraphrase_share=0.442, recombination_reach=None, decides_early=True,
    swap_methods=("word_swap", "partial"), noisy_labels={"word_swap": 0},
    judgments_per_pair=3, consensus_min_votes=2, scheme=scale(3, border=2),
)  # fmt: skip
BEFORE = {
    "seed": 0, "annotators_per_pair": 5, "consensus_min_votes": 4, "max_label": 1,
    "paraphrase_from": 1, "dev": 0.1, "test": 0.1, "unlabeled_dev": 0.1, "paraphrase_share": None,
    "recombine": True, "recombination_reach": 1, "swap_methods": ["word_swap"],
    "noisy_labels": {"word_swap": 0, "back_translation": 1},
}  # fmt: skip


@given(
    st.builds(study, st.integers(0, 2**32), st.integers(3, 30)), st.randoms(use_true_random=False)
)
def test_neither_the_order_of_rows_nor_candidates_change_judged_pairs(some, random):
    made = planned(some)
    turned = [
        PairRow(row.id, *random.sample((row.sentence1, row.sentence2), 2), row.method, row.tally)
        for row in random.sample(some.pairs, len(some.pairs))
    ]
    sentences = random.sample(some.sentences, len(some.sentences))
    mixed = random.sample(some.candidates, len(some.candidates))
    options = {"settings": SETTINGS, "generators": models_by_run(FACTS.runs)}
    assert plan(sentences, turned, mixed, **options) == made
    assert plan(some.sentences, some.pairs, **options).pairs == made.pairs
    # Nor do sentences of no judged pair, which the files do not have, whatever they connect.
    one, other = random.sample(some.sentences, 2)
    link = SentenceRow("link", other.text, one.source, one.id, "word_swap")
    assert plan([*some.sentences, link], some.pairs, **options).pairs == made.pairs
    # The same two sentences can be composed from judged pairs and from unjudged ones.
    rows = [*made.pairs, *made.silver]
    assert len({pair.id for pair in rows}) == len(rows)


def test_every_subset_and_split_is_filled_and_another_seed_fills_them_otherwise():
    some = study(2, families=200)
    made = planned(some)
    assert {(pair.subset, pair.split) for pair in made.pairs} == {
        *product(("labeled_final", "low_agreement"), ("train", "dev", "test")),
        *(("labeled_swap", "train"), (None, None)),
    }
    assert {pair.split for pair in made.silver} == {"train", "dev"}
    assert made.totals["silver_left_out"] > 0
    for rows in (made.pairs, made.silver):
        assert all(one.id < other.id for one, other in pairwise(rows))
    assert made.pairs != planned(some, replace(SETTINGS, seed=8)).pairs
    balanced = planned(some, replace(SETTINGS, paraphrase_share=0.442))
    final = [pair.label for pair in balanced.pairs if pair.subset == "labeled_final"]
    assert abs(final.count(1) - 0.442 * len(final)) < 1
    judged = planned(some, replace(SETTINGS, recombine=False))
    assert {pair.origin for pair in judged.pairs} == {"judged"}
    assert (judged.totals["conflicts"], judged.totals["unknown"]) == (0, 0)
    assert "recombined" not in {pair.method for pair in judged.silver}


def test_a_tally_of_another_scale_is_refused():
    with pytest.raises(ValueError, match="not a tally"):
        planned(study(families=3), ReleaseSettings(scheme=scale(3, border=2)))


def test_graded_labels_are_released_as_votes_for_two_sides():
    rows = [SentenceRow("a", "A.", "a"), SentenceRow("b", "B.", "b")]
    graded = replace(OTHER, dev=0, paraphrase_share=None)
    (pair,) = plan(rows, [PairRow("p", "a", "b", "imported", (0, 1, 1, 1))], settings=graded).pairs
    assert (pair.votes, pair.label, pair.subset) == ((1, 2), 1, "labeled_final")


def test_settings_come_back_from_json_as_they_were():
    for settings in (ReleaseSettings(), OTHER):
        assert ReleaseSettings.from_dict(json.loads(json.dumps(settings.to_dict()))) == settings
    assert ReleaseSettings.from_dict({"seed": 7}) == ReleaseSettings(seed=7)
    assert OTHER.protocol == Protocol(3, 2, scale(3, border=2), decides_early=True)
    # Releases that were made before `decides_early` are written as they were.
    assert ReleaseSettings.from_dict(BEFORE).to_dict() == BEFORE
    with pytest.raises(TypeError, match="sede"):
        ReleaseSettings.from_dict({"sede": 7})
    for wrong, why in (
        ({"dev": -1}, "dev is -1, neither a whole number of pairs nor a share from 0 to 1"),
        ({"test": 1.5}, "test is 1.5, neither"),
        ({"test": float("nan")}, "test is nan, neither"),
        ({"unlabeled_dev": -0.1}, "unlabeled_dev is -0.1, neither"),
        ({"paraphrase_share": 0.0}, "paraphrase_share is 0.0, not a share between 0 and 1"),
        ({"paraphrase_share": 1.0}, "paraphrase_share is 1.0, not a share"),
        ({"recombination_reach": 0}, "recombination_reach is 0; it is at least 1"),
        ({"noisy_labels": {"word_swap": 2}}, "label of word_swap is 2, neither 0 nor 1"),
        ({"consensus_min_votes": 6}, "6 of 5 votes cannot agree"),
        ({"max_label": 3, "paraphrase_from": 4}, "other than the lowest"),
    ):
        with pytest.raises(ValueError, match=why):
            ReleaseSettings.from_dict(wrong)
    assert ReleaseSettings.from_dict({"dev": 0, "test": 1.0, "unlabeled_dev": 2}).test == 1


def separate(labels, *, group=None, start=0):
    """Sentences and a back-translation pair of each label, all apart unless of one group."""
    sentences, pairs = [], []
    for number, label in enumerate(labels, start):
        source, back = f"s{number}", f"t{number}"
        sentences.append(SentenceRow(source, f"source {number}", source, group=group))
        sentences.append(SentenceRow(back, f"back {number}", source, source, "back_translation"))
        tally = (5 * (1 - label), 5 * label)
        pairs.append(PairRow(f"p{number:03}", source, back, "back_translation", tally))
    return sentences, pairs


def both(one, other):
    return [first + second for first, second in zip(one, other, strict=True)]


def previewed(rows, **settings):
    settings = replace(SETTINGS, **settings)
    return preview.summarize(plan(*rows, settings=settings), settings, "en")


def part(made, subset, split):
    (found,) = (p for p in made.parts if (p.subset, p.split) == (subset, split))
    return found


def test_every_table_shows_its_size_and_what_is_left_out():
    whole = planned(study(2, families=200))
    made = preview.summarize(whole, SETTINGS, "en")
    dev = [pair for pair in whole.pairs if (pair.subset, pair.split) == ("labeled_final", "dev")]
    shown, low = part(made, "labeled_final", "dev"), part(made, "low_agreement", "train")
    assert (shown.pairs, shown.paraphrases) == (len(dev), sum(pair.label for pair in dev))
    noisy = [part(made, "unlabeled_final", split).pairs for split in ("train", "dev")]
    assert sum(noisy) == len(whole.silver)
    assert (low.share, low.paraphrases, low.wanted_share) == (None, None, None)
    left_out = dict(made.left_out)
    assert left_out[LeftOut.UNKNOWN] == whole.totals["unknown"] > 0
    assert whole.totals["conflicts"] == 0
    assert LeftOut.CONFLICT not in left_out
    noisy = [number for reason, number in left_out.items() if reason.startswith("noisy")]
    assert sum(noisy) == whole.totals["silver_left_out"] > 0
    assert left_out[LeftOut.EQUAL] == sum(pair.subset is None for pair in whole.pairs) > 0
    assert json.loads(json.dumps(made.to_dict()))["parts"][0]["file"] == "labeled_final/train.tsv"


APART = separate([0, 1] * 50)
ONE_FAMILY = separate([0, 1] * 30, group="all")
AND_MORE = both(ONE_FAMILY, separate([0, 1] * 20, start=60))
FEW = separate([0, 1, 1, 1])


def test_each_warning_has_its_figures():
    swaps = separate([0, 1] * 5)
    swaps[1][:] = [pair._replace(method="word_swap") for pair in swaps[1]]
    no_test, of_test = {"dev": 0, "test": 0}, {"subset": "labeled_final", "split": "test"}
    of_large = {"subset": "unlabeled_final", "split": "dev"}
    unjudged = [CandidateRow(f"c{n}", "s", f"back {n}", "back_translation") for n in range(2)]
    one_label = both(separate([0] * 40), separate([1] * 40, group="all", start=40))
    large = ([SentenceRow("s", "source", "s")], [], unjudged)
    sizes, only_test = {"dev": 10, "test": 20}, {"dev": 0, "test": 20}
    for rows, settings, warnings in (
        (APART, {"dev": 10, "test": 0.2}, {}),
        # A family that dev cannot hold, or test, so that it stays empty.
        (AND_MORE, sizes, {Reason.TOO_LARGE: {"pairs": 60, "share": 0.6, **sizes}}),
        (ONE_FAMILY, only_test, {
            Reason.TOO_SMALL: of_test | {"wanted": 20, "reached": 0, "drawable": 60},
            Reason.TOO_LARGE: {"pairs": 60, "share": 1.0, **only_test},
        }),
        # One label in what test can be drawn from.
        (one_label, only_test, {
            Reason.TOO_LARGE: {"pairs": 40, "share": 0.5, **only_test},
            Reason.SPLIT_SHARE: of_test | {"wanted": 0.5, "reached": 0.0},
        }),
        (FEW, no_test | {"paraphrase_share": 0.2}, {Reason.ONE_LABEL: {"label": 0, "pairs": 1}}),
        (separate([1, 1]), no_test, {Reason.ONE_LABEL: {"label": 1, "pairs": 2}}),
        (separate([0, 1] * 5), {"dev": 0.5, "test": 0.5}, {Reason.NO_TRAIN: {"pairs": 10}}),
        (swaps, no_test, {Reason.ALL_SWAPS: {"pairs": 10}}),
        (large, {"unlabeled_dev": 1}, {
            Reason.NO_PAIRS: {}, Reason.TOO_SMALL: of_large | {"wanted": 1, "reached": 0},
        }),
        (([], []), {}, {Reason.NO_PAIRS: {}}),
    ):  # fmt: skip
        made = previewed(rows, **settings)
        assert {notice.reason: notice.figures for notice in made.warnings} == warnings


def test_families_and_shares_are_shown():
    equal = separate([1, 1, 1, 0, 0, 0], group="all")
    same = {"t4": "source 4", "t5": "source 5"}
    equal[0][:] = [row._replace(text=same.get(row.id, row.text)) for row in equal[0]]
    # Equal sentences take from the share of dev.
    made = previewed(equal, dev=4, test=0, paraphrase_share=0.5)
    assert Notice(Reason.FINAL_SHARE, {"wanted": 0.5, "reached": 0.75}) in made.warnings
    made = previewed(APART, dev=10, test=0.2)
    assert (made.components, made.paraphrase_share) == (100, 0.5)
    test = part(made, "labeled_final", "test")
    assert (test.wanted, test.wanted_share) == (20, 0.5)
    assert part(made, "labeled_final", "dev").share == 0.5
    made = previewed(AND_MORE, dev=10, test=20)
    assert (made.components, len(made.largest)) == (41, 10)
    assert (made.largest[0].pairs, made.largest[0].split) == (60, "train")
    made = previewed(FEW, dev=0, test=0, paraphrase_share=0.2)
    assert (made.wanted_share, made.paraphrase_share) == (0.2, 0.0)
    assert made.left_out == ((LeftOut.SURPLUS, 3),)
    made = previewed(([], []))
    assert (made.components, made.paraphrase_share) == (0, None)
    assert {part.pairs for part in made.parts} == {0}


def test_families_bound_to_train_by_a_further_swap_cannot_be_drawn():
    sentences, pairs = separate([1] * 5)
    for number in range(5):
        swap, other = f"w{number}", f"v{number}"
        sentences.append(SentenceRow(swap, f"swap {number}", "s0", f"t{number}", "word_swap"))
        sentences.append(SentenceRow(other, f"other {number}", "s0", swap, "word_swap"))
        pairs.append(PairRow(f"q{number}", swap, other, "word_swap", (5, 0)))
    made = previewed((sentences, pairs), dev=1, test=0)
    [small] = [notice for notice in made.warnings if notice.reason is Reason.TOO_SMALL]
    assert small.figures["drawable"] == 0
