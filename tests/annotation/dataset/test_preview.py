"""A plan, looked at before it is frozen: its tables, its families, and what to be warned of."""

import json
from dataclasses import replace

from annotation.dataset import preview
from annotation.dataset.plan import plan
from annotation.dataset.preview import Notice, Preview, Reason
from annotation.dataset.rows import CandidateRow, LeftOut, PairRow, SentenceRow
from annotation.dataset.split import Size
from annotation.dataset.tables import values_of
from tests.annotation.dataset import studies
from tests.annotation.dataset.studies import SETTINGS


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
    return preview.of(plan(*rows, settings=settings), settings)


def part(made, subset, split):
    (found,) = (p for p in made.parts if (p.table.subset, p.table.split) == (subset, split))
    return found


def test_every_table_shows_its_size_and_its_first_rows_and_what_is_left_out():
    planned = studies.planned(studies.study(2, families=200))
    made, texts = preview.of(planned, SETTINGS), planned.texts
    dev = [pair for pair in planned.pairs if (pair.subset, pair.split) == ("labeled_final", "dev")]
    shown, low = part(made, "labeled_final", "dev"), part(made, "low_agreement", "train")
    assert (shown.pairs, shown.paraphrases) == (len(dev), sum(pair.label for pair in dev))
    rows = [(p.id, texts[p.sentence1], texts[p.sentence2], *values_of(p)) for p in dev[:10]]
    assert [*shown.rows] == rows
    noisy = [part(made, "unlabeled_final", split).pairs for split in ("train", "dev")]
    assert sum(noisy) == len(planned.silver)
    assert (low.share, low.paraphrases, low.wanted_share) == (None, None, None)
    assert {sum(row[3:]) for row in low.rows} == {5}
    assert made.left_out[LeftOut.UNKNOWN] == planned.unknown > 0
    assert planned.conflicts == 0
    assert LeftOut.CONFLICT not in made.left_out
    noisy = [number for reason, number in made.left_out.items() if reason.startswith("noisy")]
    assert sum(noisy) == planned.silver_left_out > 0
    assert made.left_out[LeftOut.EQUAL] == sum(pair.subset is None for pair in planned.pairs) > 0
    assert Preview.from_dict(json.loads(json.dumps(made.to_dict()))) == made


def test_each_warning_has_its_figures_and_families_and_shares_are_told():
    swaps = separate([0, 1] * 5)
    swaps[1][:] = [replace(pair, method="word_swap") for pair in swaps[1]]
    equal = separate([1, 1, 1, 0, 0, 0], group="all")
    same = {"t4": "source 4", "t5": "source 5"}
    equal[0][:] = [row._replace(text=same.get(row.id, row.text)) for row in equal[0]]
    no_test, of_test = {"dev": 0, "test": 0}, {"subset": "labeled_final", "split": "test"}
    of_large = {"subset": "unlabeled_final", "split": "dev"}
    unjudged = [CandidateRow(f"c{n}", "s", f"back {n}", "back_translation") for n in range(2)]
    apart = separate([0, 1] * 50)
    one_family = separate([0, 1] * 30, group="all")
    and_more = both(one_family, separate([0, 1] * 20, start=60))
    one_label = both(separate([0] * 40), separate([1] * 40, group="all", start=40))
    large = ([SentenceRow("s", "source", "s")], [], unjudged)
    few, share = separate([0, 1, 1, 1]), {**no_test, "paraphrase_share": 0.2}
    sizes, half, only_test = (
        {"dev": 10, "test": 20},
        {"dev": 0.5, "test": 0.5},
        {"dev": 0, "test": 20},
    )
    for rows, settings, warnings in (
        (apart, {"dev": 10, "test": 0.2}, {}),
        # A family that dev cannot hold, or test, so that it stays empty.
        (and_more, sizes, {Reason.TOO_LARGE: {"pairs": 60, "share": 0.6, **sizes}}),
        (one_family, only_test, {
            Reason.TOO_SMALL: of_test | {"wanted": 20, "reached": 0, "drawable": 60},
            Reason.TOO_LARGE: {"pairs": 60, "share": 1.0, **only_test},
        }),
        # One label in what test can be drawn from.
        (one_label, only_test, {
            Reason.TOO_LARGE: {"pairs": 40, "share": 0.5, **only_test},
            Reason.SPLIT_SHARE: of_test | {"wanted": 0.5, "reached": 0.0},
        }),
        (few, share, {Reason.ONE_LABEL: {"label": 0, "pairs": 1}}),
        (separate([1, 1]), no_test, {Reason.ONE_LABEL: {"label": 1, "pairs": 2}}),
        (separate([0, 1] * 5), half, {Reason.NO_TRAIN: {"pairs": 10}}),
        (swaps, no_test, {Reason.ALL_SWAPS: {"pairs": 10}}),
        (large, {"unlabeled_dev": 1}, {
            Reason.NO_PAIRS: {}, Reason.TOO_SMALL: of_large | {"wanted": 1, "reached": 0},
        }),
        (([], []), {}, {Reason.NO_PAIRS: {}}),
    ):  # fmt: skip
        made = previewed(rows, **settings)
        assert {notice.reason: notice.figures for notice in made.warnings} == warnings
        assert Preview.from_dict(json.loads(json.dumps(made.to_dict()))) == made
    # Equal sentences take from the share of dev.
    made = previewed(equal, dev=4, test=0, paraphrase_share=0.5)
    assert Notice(Reason.FINAL_SHARE, {"wanted": 0.5, "reached": 0.75}) in made.warnings
    made = previewed(apart, dev=10, test=0.2)
    assert (made.components, made.paraphrase_share) == (100, 0.5)
    assert part(made, "labeled_final", "test").wanted == Size(10, 10)
    assert part(made, "labeled_final", "dev").share == 0.5
    made = previewed(and_more, dev=10, test=20)
    assert (made.components, len(made.largest)) == (41, 10)
    assert (made.largest[0].pairs, made.largest[0].split) == (60, "train")
    made = previewed(few, **share)
    assert (made.wanted_share, made.paraphrase_share) == (0.2, 0.0)
    assert made.left_out == {LeftOut.SURPLUS: 3}
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
    assert {family.train_only for family in made.largest} == {True}
