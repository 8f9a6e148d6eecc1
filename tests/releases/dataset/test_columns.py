"""The columns that tables have since the second version of the format, and their splits."""

from collections import Counter
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from releases.dataset.placement import deal_families
from releases.dataset.plan import plan
from releases.dataset.reader import read_release, read_tsv
from releases.dataset.rows import CandidateRow, PairRow, SentenceRow
from releases.dataset.rules import families_stay_together
from releases.dataset.settings import ReleaseSettings
from releases.dataset.tables import TABLES
from releases.dataset.verification import verify
from tests.releases.dataset.studies import planned, study, write
from tests.releases.dataset.test_definitions import definitions, written

# A swap whose back translations start in two corpora, one corrected into a sentence of the other.
SENTENCES = [
    SentenceRow("a", "a", "a", corpus="news"),
    SentenceRow("A1", "A1", "a", "a", "word_swap", "fix", "news", "name", 4),
    SentenceRow("a~", "a~", "a", "a", "back_translation", None, "news", None, 5),
    SentenceRow("b", "A1", "b", corpus="letters"),
    SentenceRow("b~", "b~", "b", "b", "back_translation", None, "letters", None, 5),
    SentenceRow("c", "c", "c", corpus="news"),
    SentenceRow("C1", "C1", "c", "c", "imported", None, "news", None, 7),
]
PAIRS = [
    PairRow("swap", "A1", "a", "word_swap", (4, 1)),
    PairRow("back", "a", "a~", "back_translation", (0, 5)),
    PairRow("other", "b", "b~", "back_translation", (0, 5)),
    PairRow("low", "c", "C1", "imported", (2, 3)),
]
CANDIDATES = [CandidateRow("candidate", "C1", "C2", "word_swap", "phrase", 4)]
GENERATORS = {4: "tagger + trigram", 5: "forward", 7: None}
ORIGIN = ("domain", "method", "kind", "generator", "run")


@pytest.fixture(scope="module")
def by_texts():
    settings = ReleaseSettings(dev=0, test=0, unlabeled_dev=0)
    made = plan(SENTENCES, PAIRS, CANDIDATES, settings=settings, generators=GENERATORS)
    return {frozenset((pair.text1, pair.text2)): pair for pair in (*made.pairs, *made.silver)}


@pytest.mark.parametrize(
    ("texts", "origin"),
    [
        ("a A1", ("news", "word_swap", "name", "tagger + trigram", 4)),
        ("A1 b~", ("letters", "back_translation", None, "forward", 5)),
        ("c C1", ("news", "imported", None, None, 7)),
        ("a b~", ("letters / news", "recombined", None, None, None)),
        ("C1 C2", ("news", "word_swap", "phrase", "tagger + trigram", 4)),
    ],
)
def test_a_pair_has_the_origin_of_the_sentence_that_was_rewritten(by_texts, texts, origin):
    pair = by_texts[frozenset(texts.split())]
    assert tuple(getattr(pair, name) for name in ORIGIN) == origin


@pytest.mark.parametrize(
    ("texts", "soft_label"), [("a A1", 0.2), ("c C1", 0.6), ("a b~", None), ("C1 C2", None)]
)
def test_a_soft_label_is_the_share_of_votes_for_a_paraphrase(by_texts, texts, soft_label):
    assert by_texts[frozenset(texts.split())].soft_label == soft_label


def graded(folder):
    written(folder, *definitions())
    return folder


def plain(folder):
    write(folder, study(2, families=200))
    return folder


@pytest.mark.parametrize(("build", "number"), [(plain, 13), (graded, 16)])
def test_all_tables_are_one_after_the_other(tmp_path, build, number):
    folder = build(tmp_path / "release")
    tables = [pq.read_table(folder / table.parquet) for table in TABLES]
    columns = [name.removeprefix("noisy_") for name in tables[0].column_names]
    tables = [table.rename_columns(columns) for table in tables]
    together = pa.concat_tables(tables)
    assert together.num_columns == number
    assert together.num_rows == sum(table.num_rows for table in tables) > 0


def test_families_with_a_label_are_placed_as_in_the_first_version():
    some = study(2, families=200)
    first, second = (planned(some, version=version) for version in (1, 2))

    def places(made):
        return {pair.id: pair.place for pair in made.pairs if pair.label is not None}

    assert places(first) == places(second)


@pytest.mark.parametrize(
    ("final", "shares"),
    [
        ([*5 * ["train"], *2 * ["dev"], *3 * ["test"]], {"train": 0.5, "dev": 0.2, "test": 0.3}),
        ([], {"train": 1}),
    ],
)
def test_low_agreement_alone_is_dealt_in_the_proportions_of_labels(final, shares):
    splits = Counter(deal_families(map(str, range(10_000)), final, seed=7).values())
    assert {split: round(number / 10_000, 1) for split, number in splits.items()} == shares


def test_no_family_is_in_two_splits_with_low_agreement(tmp_path):
    folder = plain(tmp_path / "release")
    release = read_release(folder)
    [low] = (table for table in release.tables if table.subset == "low_agreement")
    splits = {row[low.names.index("split")] for row in read_tsv(folder, low)}
    assert splits == {"train", "dev", "test"}
    assert [*families_stay_together(release)] == []


def test_a_pair_of_low_agreement_in_another_split_is_found(tmp_path):
    some = study(2, families=200)
    made = planned(some)
    splits = {"train": "test", "dev": "train", "test": "train"}
    pairs = tuple(
        pair._replace(split=splits[pair.split]) if pair.subset == "low_agreement" else pair
        for pair in made.pairs
    )
    folder = tmp_path / "release"
    write(folder, some, replace(made, pairs=pairs))
    assert any("is connected to a pair in" in what for what in map(str, verify(folder)))
