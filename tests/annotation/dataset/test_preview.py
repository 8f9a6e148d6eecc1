"""A plan, looked at before it is frozen."""

import json
from dataclasses import replace
from itertools import islice

import pytest

from annotation.dataset import preview
from annotation.dataset.plan import ReleasePlan, plan
from annotation.dataset.preview import Notice, Part, Preview, Reason
from annotation.dataset.rows import LeftOut, PairRow, SentenceRow
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.split import Size
from annotation.dataset.tables import values_of
from tests.annotation.dataset.studies import study

SETTINGS = ReleaseSettings(seed=7, dev=0.2, test=0.2)


@pytest.fixture(scope="module")
def planned() -> ReleasePlan:
    some = study(2, families=200)
    return plan(some.sentences, some.pairs, some.candidates, settings=SETTINGS)


def separate(
    labels: list[int], *, group: str | None = None, start: int = 0
) -> tuple[list[SentenceRow], list[PairRow]]:
    """A back-translation pair of each label, all apart unless they are of one group."""
    sentences, pairs = [], []
    for number, label in enumerate(labels, start):
        source, back = f"s{number}", f"t{number}"
        sentences.append(SentenceRow(source, f"source {number}", source, group=group))
        sentences.append(SentenceRow(back, f"back {number}", source, source, "back_translation"))
        tally = (5 * (1 - label), 5 * label)
        pairs.append(PairRow(f"p{number:03}", source, back, "back_translation", tally))
    return sentences, pairs


def previewed(
    sentences: list[SentenceRow], pairs: list[PairRow], settings: ReleaseSettings
) -> Preview:
    return preview.of(plan(sentences, pairs, settings=settings), settings)


def part(made: Preview, subset: str, split: str) -> Part:
    (found,) = (p for p in made.parts if (p.table.subset, p.table.split) == (subset, split))
    return found


def reasons(made: Preview) -> dict[Reason, preview.Figures]:
    return {notice.reason: notice.figures for notice in made.warnings}


def test_every_table_shows_its_size_and_its_first_rows(planned: ReleasePlan) -> None:
    made = preview.of(planned, SETTINGS)
    dev = [pair for pair in planned.pairs if (pair.subset, pair.split) == ("labeled_final", "dev")]
    shown = part(made, "labeled_final", "dev")
    texts = planned.texts
    assert (shown.pairs, shown.paraphrases) == (len(dev), sum(pair.label or 0 for pair in dev))
    assert shown.rows == tuple(
        (pair.id, texts[pair.sentence1], texts[pair.sentence2], *values_of(pair))
        for pair in islice(dev, 10)
    )


def test_unjudged_pairs_are_counted_like_others(planned: ReleasePlan) -> None:
    made = preview.of(planned, SETTINGS)
    sizes = [part(made, "unlabeled_final", split).pairs for split in ("train", "dev")]
    assert sum(sizes) == len(planned.silver)


def test_low_agreement_has_votes_and_no_paraphrases(planned: ReleasePlan) -> None:
    shown = part(preview.of(planned, SETTINGS), "low_agreement", "train")
    assert shown.share is None
    assert {sum(row[3:]) for row in shown.rows} == {5}


def test_what_is_left_out_is_counted_by_reason(planned: ReleasePlan) -> None:
    left_out = preview.of(planned, SETTINGS).left_out
    assert left_out.get(LeftOut.CONFLICT, 0) == planned.conflicts
    assert left_out.get(LeftOut.UNKNOWN, 0) == planned.unknown
    noisy = [number for reason, number in left_out.items() if reason.startswith("noisy")]
    assert sum(noisy) == planned.silver_left_out > 0
    nowhere = sum(pair.subset is None for pair in planned.pairs)
    assert left_out[LeftOut.EQUAL] == nowhere > 0


def test_a_plan_that_comes_out_as_wanted_warns_of_nothing() -> None:
    made = previewed(*separate([0, 1] * 50), replace(SETTINGS, dev=10, test=0.2))
    assert made.warnings == ()
    assert (made.components, made.paraphrase_share) == (100, 0.5)
    assert part(made, "labeled_final", "test").wanted == Size(10, 10)
    assert part(made, "labeled_final", "dev").share == 0.5


def test_a_component_that_dev_cannot_hold_is_told_with_its_size_and_place() -> None:
    one, another = separate([0, 1] * 30, group="all"), separate([0, 1] * 20, start=60)
    sentences, pairs = one[0] + another[0], one[1] + another[1]
    made = previewed(sentences, pairs, replace(SETTINGS, dev=10, test=20))
    assert made.warnings == (
        Notice(Reason.TOO_LARGE, {"pairs": 60, "share": 0.6, "test": 20, "dev": 10}),
    )
    assert made.components == 41
    assert (made.largest[0].pairs, made.largest[0].split) == (60, "train")
    assert len(made.largest) == 10


def test_a_split_that_stays_too_small_is_told_with_what_there_was_to_draw_from() -> None:
    made = previewed(*separate([0, 1] * 30, group="all"), replace(SETTINGS, dev=0, test=20))
    assert reasons(made) == {
        Reason.TOO_SMALL: {
            "subset": "labeled_final",
            "split": "test",
            "wanted": 20,
            "reached": 0,
            "drawable": 60,
        },
        Reason.TOO_LARGE: {"pairs": 60, "share": 1.0, "test": 20, "dev": 0},
    }


def test_families_bound_to_train_by_a_further_swap_cannot_be_drawn() -> None:
    sentences, pairs = separate([1] * 5)
    for number in range(5):
        swap, other = f"w{number}", f"v{number}"
        sentences.append(SentenceRow(swap, f"swap {number}", "s0", f"t{number}", "word_swap"))
        sentences.append(SentenceRow(other, f"other {number}", "s0", swap, "word_swap"))
        pairs.append(PairRow(f"q{number}", swap, other, "word_swap", (5, 0)))
    made = previewed(sentences, pairs, replace(SETTINGS, dev=1, test=0))
    assert reasons(made)[Reason.TOO_SMALL]["drawable"] == 0
    assert {family.train_only for family in made.largest} == {True}


def test_labels_that_no_split_can_have_in_its_share_are_told() -> None:
    one, another = separate([0] * 40), separate([1] * 40, group="all", start=40)
    sentences, pairs = one[0] + another[0], one[1] + another[1]
    made = previewed(sentences, pairs, replace(SETTINGS, dev=0, test=20))
    assert reasons(made)[Reason.SPLIT_SHARE] == {
        "subset": "labeled_final",
        "split": "test",
        "wanted": 0.5,
        "reached": 0.0,
    }


def test_a_share_of_all_that_cannot_be_had_is_told() -> None:
    settings = replace(SETTINGS, dev=0, test=0, paraphrase_share=0.2)
    made = previewed(*separate([0, 1, 1, 1]), settings)
    assert (made.wanted_share, made.paraphrase_share) == (0.2, 0.0)
    assert reasons(made) == {Reason.ONE_LABEL: {"label": 0, "pairs": 1}}
    assert made.left_out == {LeftOut.SURPLUS: 3}


def test_a_share_that_equal_sentences_take_from_dev_is_told() -> None:
    sentences, pairs = separate([1, 1, 1, 0, 0, 0], group="all")
    equal = {"t4": "source 4", "t5": "source 5"}
    sentences = [row._replace(text=equal.get(row.id, row.text)) for row in sentences]
    settings = replace(SETTINGS, dev=4, test=0, paraphrase_share=0.5)
    made = previewed(sentences, pairs, settings)
    assert reasons(made)[Reason.FINAL_SHARE] == {"wanted": 0.5, "reached": 0.75}


def test_dev_and_test_that_take_all_are_told() -> None:
    made = previewed(*separate([0, 1] * 5), replace(SETTINGS, dev=0.5, test=0.5))
    assert reasons(made) == {Reason.NO_TRAIN: {"pairs": 10}}


def test_a_study_without_back_translations_is_told_that_all_swaps_are_final() -> None:
    sentences, pairs = separate([0, 1] * 5)
    swaps = [replace(pair, method="word_swap") for pair in pairs]
    made = previewed(sentences, swaps, replace(SETTINGS, dev=0, test=0))
    assert reasons(made) == {Reason.ALL_SWAPS: {"pairs": 10}}


def test_nothing_is_previewed_as_nothing() -> None:
    made = previewed([], [], SETTINGS)
    assert made.warnings == (Notice(Reason.NO_PAIRS),)
    assert (made.components, made.paraphrase_share) == (0, None)
    assert {part.pairs for part in made.parts} == {0}


@pytest.mark.parametrize("settings", [SETTINGS, replace(SETTINGS, dev=2, paraphrase_share=0.5)])
def test_a_preview_comes_back_from_json_as_it_was(settings: ReleaseSettings) -> None:
    some = study(2, families=40)
    made = preview.of(
        plan(some.sentences, some.pairs, some.candidates, settings=settings), settings
    )
    assert any(part.rows for part in made.parts)
    assert made.left_out
    assert Preview.from_dict(json.loads(json.dumps(made.to_dict()))) == made


def test_a_warning_comes_back_from_json_as_it_was() -> None:
    made = previewed(*separate([0, 1] * 30, group="all"), replace(SETTINGS, dev=0, test=20))
    assert made.warnings
    assert Preview.from_dict(json.loads(json.dumps(made.to_dict()))) == made
