"""The files of a release of a published set: they load, they verify, and false ones are named."""

import json
import re
from dataclasses import replace

import pytest
from datasets import load_dataset
from mlcroissant import Dataset

from releases.dataset.facts import ReleaseFacts
from releases.dataset.manifest import as_json, describe_files
from releases.dataset.published.layout import read_layout
from releases.dataset.published.reading import read_set
from releases.dataset.published.settings import Choices, Source
from releases.dataset.published.writer import write_published
from releases.dataset.sources import labelled
from releases.dataset.verification import verify
from tests.releases.dataset.published.sets import SETS

FACTS = ReleaseFacts(
    name="Trial",
    version="1.0",
    created="2026-11-29T12:00:00Z",
    software_version="0.1.0",
    language="en",
    licence="CC-BY-4.0",
    citation="Doe (2020). Trial pairs.",
)
SOURCE = Source("https://example.org/trial", FACTS.citation, FACTS.licence)


def written(folder, published, choices=None, facts=FACTS):
    """A release of a set: the folder of its published files, and that of the release."""
    choices = choices or published.choices
    for name, content in published.files.items():
        (folder / "published" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "published" / name).write_bytes(content)
    files = read_layout([folder / "published"], choices)
    read = read_set(files, choices, name="Trial", version="1.0")
    write_published(folder / "release", read, facts=facts, source=SOURCE)
    return folder / "published", folder / "release"


@pytest.mark.parametrize("published", SETS.values(), ids=SETS)
def test_a_release_is_intact_beside_the_published_files(tmp_path, published):
    source, release = written(tmp_path, published)
    assert verify(release, source) == []


def test_the_same_files_give_the_same_bytes(tmp_path):
    _, one = written(tmp_path / "one", SETS["PIT-2015"])
    _, other = written(tmp_path / "other", SETS["PIT-2015"])
    paths = {path.relative_to(one) for path in one.rglob("*") if path.is_file()}
    assert paths == {path.relative_to(other) for path in other.rglob("*") if path.is_file()}
    assert all((one / path).read_bytes() == (other / path).read_bytes() for path in paths)


def test_drawn_splits_are_drawn_again_from_the_published_files(tmp_path):
    source, release = written(tmp_path, SETS["QQP, CSV"], Choices(draw={"test": 0.4}, seed=3))
    assert verify(release, source) == []
    assert [pair.split for pair in labelled(release)].count("test") == 2


def test_labelled_pairs_have_their_published_values_for_datasets(tmp_path):
    _, release = written(tmp_path, SETS["PIT-2015"])
    table = load_dataset(str(release), "labeled_final", split="train", cache_dir=tmp_path / "cache")
    row = table[0]
    assert (row["label"], row["votes0"], row["votes1"], row["soft_label"]) == (1, 0, 5, 1.0)
    assert (row["published_label"], row["split"]) == ("(5, 0)", "train")


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated")
def test_catalogues_read_the_description(tmp_path):
    _, release = written(tmp_path, SETS["STS-B, Parquet, 0 to 1"])
    described = Dataset(jsonld=release / "croissant.json").metadata
    assert (described.issues.errors, described.url) == (set(), SOURCE.address)


def test_the_card_says_who_published_it(tmp_path):
    _, release = written(tmp_path, SETS["PARADE"])
    card = (release / "README.md").read_text()
    for text in (
        "**Published elsewhere.**",
        "Published at <https://example.org/trial>",
        "Grades or scores from 2 on are paraphrases",
        "| Repeated pairs | 0 | 5 | 5 |",
        "Doe (2020). Trial pairs.",
    ):
        assert text in card


@pytest.mark.parametrize(
    ("column", "cell", "difference"),
    [
        ("label", "0", "label of {id} is 0, not 1"),
        ("label", "0", "label is 0, published is 1"),
        ("sentence2", "It rains.", "sentence2 is It rains., published is At noon the ferry leaves"),
        ("published_id", "7", "{id} is not the id of 7 of train"),
        ("published_label", "yes", "published_label is yes, published is 1"),
        ("split", "test", "{id} does not belong into this table"),
    ],
)
def test_a_changed_cell_is_named(tmp_path, column, cell, difference):
    source, release = written(tmp_path, SETS["PAWS, TSV"])
    path = "labeled_final/train.tsv"
    header, first, *rest = (release / path).read_text().splitlines()
    cells = dict(zip(header.split("\t"), first.split("\t"), strict=True)) | {column: cell}
    (release / path).write_text("\n".join([header, "\t".join(cells.values()), *rest, ""]))
    manifest = json.loads((release / "manifest.json").read_text())
    manifest["files"] |= describe_files(release, {path: 5})
    (release / "manifest.json").write_text(as_json(manifest))
    lines = [str(line) for line in verify(release, source)]
    start = f"{path}, line 2: {difference.format(**cells)}"
    assert any(line.startswith(start) for line in lines), lines


@pytest.mark.parametrize("published", SETS.values(), ids=SETS)
def test_the_card_explains_the_columns_of_the_tables_alone(tmp_path, published):
    _, release = written(tmp_path, published)
    [path, *_] = release.rglob("*.tsv")
    header = path.read_text().splitlines()[0].split("\t")
    card = (release / "README.md").read_text()
    columns = card.partition("\n## Columns\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `(\w+)` \|", columns, re.MULTILINE) == header
    assert ("published_id" in card) == ("published_id" in header)


def test_the_card_counts_the_pairs_on_which_too_few_agreed(tmp_path):
    _, release = written(tmp_path, SETS["PIT-2015"])
    pairs = len((release / "low_agreement.tsv").read_text().splitlines()) - 1
    card = (release / "README.md").read_text()
    assert f"Too few people agreed on {pairs} pairs, which `low_agreement` has." in card


def test_the_card_of_a_set_that_follows_croissant_1_0_has_no_table_of_columns(tmp_path):
    facts = replace(FACTS, croissant="1.0")
    _, release = written(tmp_path, SETS["PIT-2015"], facts=facts)
    card = (release / "README.md").read_text()
    assert "`published_id` and `published_label` are as published" in card
    assert "## Columns" not in card
    assert "Too few people agreed on" not in card


def test_published_files_that_were_changed_later_are_named(tmp_path):
    source, release = written(tmp_path, SETS["PAWS, TSV"])
    train = source / "train.tsv"
    train.write_text(train.read_text().replace("tower", "castle"))
    assert (
        "labeled_final/train.tsv, line 5: sentence1 is The tower is older than the bridge., "
        in ("\n".join(map(str, verify(release, source))))
    )
    assert str(verify(release, source)[-1]) == (
        "manifest.json: the published train.tsv has another checksum"
    )
    train.unlink()
    assert [str(difference) for difference in verify(release, source)] == [
        "manifest.json: the published files differ: train.tsv is missing. Name the "
        "folder or archive with all files that the release was made of."
    ]
