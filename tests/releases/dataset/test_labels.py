"""Releases whose labels are not two sides: the most frequent label, the mean, the distribution."""

import json
import shutil

import mlcroissant
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from annotation.stats.labels import Label, Level, Rule, Scheme
from releases.dataset import methods_judging
from releases.dataset.families import Family, Size, choose_families, stratified
from releases.dataset.settings import ReleaseSettings
from releases.dataset.verification import verify
from tests.releases.dataset.label_studies import (
    NLI,
    OPINIONS,
    SIMILARITY,
    TOPICS,
    LabelStudy,
    rows_of,
    settings_of,
)
from tests.releases.dataset.studies import describe_again
from tests.releases.dataset.test_verification import sign

ALL = {"nli": NLI, "similarity": SIMILARITY, "opinions": OPINIONS, "topics": TOPICS}
TRAIN = "labeled_final/train.tsv"
ORIGIN = ["domain", "method", "kind", "generator", "run", "split"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    place = tmp_path_factory.mktemp("labels")
    for name, scheme in ALL.items():
        LabelStudy(scheme).write(place / name)
    return place


@pytest.fixture(params=ALL)
def folder(request, folders):
    return folders / request.param


def only_pair(tmp_path, scheme, places, **choices):
    """The line of a pair and the row of the table that holds it, of a study of one pair."""
    LabelStudy(scheme, [places], dev=0, test=0, **choices).write(tmp_path / "release")
    [line] = (tmp_path / "release/pairs.jsonl").read_text().splitlines()
    tables = (tmp_path / "release").rglob("*.tsv")
    [row] = [row for path in tables for row in rows_of(path.parent, path.name)]
    return json.loads(line), row


def test_a_release_of_any_scheme_verifies(folder):
    assert verify(folder) == []


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("nli", ["label", "votes", "soft_label"]),
        ("similarity", ["mean", "votes", "soft_label"]),
        ("opinions", ["votes", "soft_label"]),
        ("topics", ["votes", "soft_label"]),
    ],
)
def test_the_columns_are_what_the_rule_makes_of_answers(folders, name, columns):
    header = (folders / name / "labeled_final/train.tsv").read_text().split("\n")[0]
    assert header.split("\t") == ["id", "sentence1", "sentence2", *columns, *ORIGIN]


@pytest.mark.parametrize(("votes", "label", "subset"), [(3, 1, "labeled_final"),
                                                        (4, None, "low_agreement")])  # fmt: skip
def test_the_most_frequent_label_is_kept_with_enough_votes(tmp_path, votes, label, subset):
    line, row = only_pair(tmp_path, NLI, [1, 2, 1, 2, 1], votes=votes)
    assert (line["label"], line["votes"], line["subset"]) == (label, [0, 3, 2], subset)
    assert (row["label"], row["votes"]) == ("" if label is None else str(label), "0 3 2")
    assert row["soft_label"] == "0.0 0.6 0.4"
    assert "tally" not in line


def test_a_tie_of_labels_is_of_low_agreement(tmp_path):
    line, _ = only_pair(tmp_path, NLI, [0, 0, 1, 1, 2], votes=2)
    assert (line["label"], line["kept"], line["subset"]) == (None, False, "low_agreement")


def test_a_mean_is_of_the_values(tmp_path):
    line, row = only_pair(tmp_path, SIMILARITY, [2, 3, 3, 4, 5])
    assert (line["mean"], line["label"], line["kept"]) == (3.4, None, True)
    assert (line["votes"], line["tally"]) == ([1, 4], [0, 0, 1, 2, 1, 1])
    assert (row["mean"], row["votes"]) == ("3.4", "0 0 1 2 1 1")


def test_answers_below_zero_are_written_by_their_value(tmp_path):
    line, row = only_pair(tmp_path, OPINIONS, [0, 0, 4, 6, 10])
    lines = (tmp_path / "release/judgments.jsonl").read_text().splitlines()
    assert sorted(json.loads(line)["label"] for line in lines) == [-5, -5, -1, 1, 5]
    assert (line["votes"], line["label"]) == ([3, 2], None)
    assert row["votes"] == "2 0 0 0 1 0 1 0 0 0 1"


def test_a_release_whose_labels_begin_below_zero_has_them_in_its_tables(tmp_path):
    names = ("disagrees", "is neutral", "agrees")
    labels = tuple(Label(value, name) for value, name in enumerate(names, start=-1))
    study = LabelStudy(Scheme(labels, Level.ORDINAL, Rule.MOST))
    study.write(tmp_path / "release")
    assert verify(tmp_path / "release") == []
    rows = rows_of(tmp_path / "release", "labeled_final/train.tsv")
    assert {row["label"] for row in rows} == {"-1", "0", "1"}


# A scheme, a file, what a forger writes for what, and what is said of that line.
FORGED = [
    (
        "nli",
        "pairs.jsonl",
        '"votes": [4, 1, 0]',
        '"votes": [3, 2, 0]',
        "votes of p000 is (3, 2, 0)",
    ),
    ("nli", "pairs.jsonl", '"votes": [4, 1, 0]', '"votes": [4, 1]', "votes are 2 numbers, not 3"),
    ("nli", "pairs.jsonl", '"label": 0', '"label": 1', "label of p000 is 1, not 0"),
    ("nli", TRAIN, "\t4 1 0\t", "\t3 2 0\t", "is not as in pairs.jsonl"),
    ("nli", TRAIN, "\t0.8 0.2 0.0\t", "\t0.7 0.3 0.0\t", "is not as in pairs.jsonl"),
    ("nli", TRAIN, "\t4 1 0\t", "\t4 1 00\t", "4 1 00 are no whole numbers"),
    ("nli", TRAIN, "\t0.8 0.2 0.0\t", "\t0.8 0.2 0\t", "0 is no number such as 0.25"),
    ("nli", "judgments.jsonl", '"label": 1', '"label": 3', "the label 3"),
    ("similarity", "pairs.jsonl", '"mean": 4.0', '"mean": 4.1', "is 4.1, not 4.0"),
    ("similarity", TRAIN, "\t4.0\t", "\t4.1\t", "is not as in pairs.jsonl"),
    ("opinions", "pairs.jsonl", '"tally": [0, ', '"tally": [1, ', "tally of p000 is (1, "),
    ("opinions", "judgments.jsonl", '"label": -', '"label": -9', "the label -9"),
]


@pytest.mark.parametrize(("name", "path", "old", "new", "what"), FORGED)
def test_a_forged_vote_is_named_by_file_with_line(folders, tmp_path, name, path, old, new, what):
    folder = shutil.copytree(folders / name, tmp_path / "release")
    text = (folder / path).read_text()
    line = text[: text.index(old)].count("\n") + 1
    (folder / path).write_text(text.replace(old, new, 1))
    describe_again(folder)
    sign(folder)
    told = list(map(str, verify(folder)))
    assert any(each.startswith(f"{path}, line {line}: ") and what in each for each in told), told


def test_a_forged_soft_label_in_parquet_is_named(folders, tmp_path):
    folder = shutil.copytree(folders / "nli", tmp_path / "release")
    path = folder / "parquet/labeled_final/dev.parquet"
    table = pq.read_table(path)
    place, shares = table.column_names.index("soft_label"), table["soft_label"].to_pylist()
    forged = pa.array([[0.5, 0.5, 0.0], *shares[1:]], table["soft_label"].type)
    pq.write_table(table.set_column(place, "soft_label", forged), path)
    describe_again(folder)
    sign(folder)
    [told] = map(str, verify(folder))
    assert told.startswith("parquet/labeled_final/dev.parquet: does not hold the rows")


def test_datasets_loads_names_of_labels_with_lists_of_votes(folders, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    import datasets  # noqa: PLC0415 it takes a second, and reads the environment

    loaded = datasets.load_dataset(str(folders / "nli"), cache_dir=str(tmp_path))
    label = loaded["train"].features["label"]
    assert (type(label), label.names) == (datasets.ClassLabel, [*NLI.outcomes])
    for split, rows in loaded.items():
        written = rows_of(folders / "nli", f"labeled_final/{split}.tsv")
        assert rows["label"] == [int(row["label"]) for row in written]
        assert rows["votes"] == [[*map(int, row["votes"].split())] for row in written]
        assert rows["soft_label"] == [[*map(float, row["soft_label"].split())] for row in written]
    low = datasets.load_dataset(str(folders / "nli"), "low_agreement", cache_dir=str(tmp_path))
    assert set(low["train"]["label"]) == {None}


@pytest.mark.filterwarnings("ignore")
def test_nobody_trains_on_low_agreement_by_mistake(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    import datasets  # noqa: PLC0415 it takes a second, and reads the environment

    folder = tmp_path / "nli"
    LabelStudy(NLI, votes=5, layout=2).write(folder)
    low = datasets.load_dataset(str(folder), "low_agreement", cache_dir=str(tmp_path / "cache"))
    [(name, rows)] = low.items()
    written = rows_of(folder, "low_agreement.tsv")
    assert name not in {*rows["split"]} > {"train", "test"}
    assert rows["split"] == [row["split"] for row in written]
    catalogued = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert len([*catalogued.records(f"low_agreement/{name}")]) == len(rows)
    assert verify(folder) == []


@pytest.mark.filterwarnings("ignore")
def test_mlcroissant_reads_lists_of_any_scheme(folder):
    dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert (dataset.metadata.issues.errors, dataset.metadata.issues.warnings) == (set(), set())
    read = [
        list(row["labeled_final/dev/soft_label"]) for row in dataset.records("labeled_final/dev")
    ]
    written = rows_of(folder, "labeled_final/dev.tsv")
    assert read == [[*map(float, row["soft_label"].split())] for row in written]


def test_no_text_of_another_scheme_speaks_of_paraphrases(folder):
    for path in ("README.md", "paper.tex", "croissant.json"):
        assert "paraphrase" not in (folder / path).read_text().casefold(), path


def test_only_two_sides_are_balanced_or_composed():
    for choice in ({"recombine": True}, {"noisy_labels": {"word_swap": 0}},
                   {"paraphrase_share": 0.5}):  # fmt: skip
        with pytest.raises(ValueError, match="only where labels mean paraphrase or not"):
            settings_of(NLI, **choice)


def test_settings_of_any_scheme_are_read_as_written():
    for scheme in ALL.values():
        settings = LabelStudy(scheme, pairs=2).settings
        assert ReleaseSettings.from_dict(settings.to_dict()) == settings


def test_labels_are_as_frequent_in_dev_as_in_all():
    families = [
        Family(f"f{number}", tuple(int(place == number % 3) for place in range(3)))
        for number in range(300)
    ]
    wanted = stratified(30, families)
    chosen = choose_families(families, wanted)
    counts = [family.counts for family in families if family.key in chosen]
    assert wanted == Size((10, 10, 10))
    assert tuple(map(sum, zip(*counts, strict=True))) == (10, 10, 10)


def test_a_size_is_never_exceeded_by_rounding_up():
    assert stratified(3, [Family("a", (0, 1, 1))]) == Size((0, 2, 1))


def test_the_card_has_mean_with_spread(tmp_path):
    LabelStudy(SIMILARITY, [[2, 3, 3, 4, 5]], dev=0, test=0).write(tmp_path / "release")
    card = (tmp_path / "release/README.md").read_text()
    assert "Of the answers, 20.0% are “2”, 40.0% are “3”, 20.0% are “4” and 20.0% are “5”." in card
    assert "mean of a pair is 3.40 on average, with a spread of its answers" in card
    assert "(standard deviation) of 1.02." in card


@pytest.mark.parametrize(
    ("scheme", "headline"),
    [
        (SIMILARITY, "Interval alpha"),
        (OPINIONS, "Interval alpha"),
        (TOPICS, "Krippendorff's alpha"),
    ],
)
def test_documents_tell_no_agreement_with_a_majority_that_nobody_formed(tmp_path, scheme, headline):
    LabelStudy(scheme, layout=2).write(tmp_path / "release")
    card, paper = ((tmp_path / "release" / name).read_text() for name in ("README.md", "paper.tex"))
    for text in (card, paper):
        assert "human agreement" not in text.casefold()
        assert "most frequent answer" not in text
        assert f"Krippendorff's {methods_judging.ALPHA_NAMES[scheme.level]} is 0." in text
    assert f"| Method | Pairs | Fleiss' kappa | {headline} |" in card


def test_the_first_layout_keeps_its_agreement_with_a_majority(tmp_path):
    LabelStudy(SIMILARITY, layout=1).write(tmp_path / "release")
    card = (tmp_path / "release" / "README.md").read_text()
    assert "| Method | Pairs | Human agreement | Fleiss' kappa | Interval alpha |" in card
