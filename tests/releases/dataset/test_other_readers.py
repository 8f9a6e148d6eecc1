"""A release is read by what its readers use, offline: `datasets` and mlcroissant."""

import json

import mlcroissant
import pytest

from releases.dataset.files import LINE_FILES
from releases.dataset.tables import TABLES
from releases.dataset.translated import files as translated
from tests.releases.dataset.translated.conftest import german, made, source

__all__ = ["german", "made", "source"]
# The libraries warn of what pandas is going to change under them.
pytestmark = pytest.mark.filterwarnings("ignore")
LABELLED = ("id", "sentence1", "sentence2", "label")
FURTHER = (
    *("votes0", "votes1", "soft_label", "domain", "method", "kind", "generator", "run", "split"),
)
HEADERS = {
    "labeled_final": (*LABELLED, *FURTHER),
    "labeled_swap": (*LABELLED, *FURTHER),
    "unlabeled_final": (*LABELLED[:3], "noisy_label", *FURTHER),
    "low_agreement": (*LABELLED, *FURTHER),
    "translated": LABELLED,
    "translate_test": LABELLED,
}
NUMBERS = dict.fromkeys(("label", "noisy_label", "votes0", "votes1", "run"), int)
NUMBERS["soft_label"] = float
# Empty texts of optional columns are null.
ALWAYS = ("id", "sentence1", "sentence2", "method", "split")


def rows_by_hand(folder, table):
    """The rows of a table from its TSV file."""
    header, *rows = (folder / table.tsv).read_text(encoding="utf-8").split("\n")[:-1]
    assert tuple(header.split("\t")) == HEADERS[table.subset]
    cells = (zip(HEADERS[table.subset], row.split("\t"), strict=True) for row in rows)
    return [{name: typed(name, cell) for name, cell in row} for row in cells]


def typed(name, cell):
    return NUMBERS.get(name, str)(cell) if cell or name in ALWAYS else None


@pytest.mark.parametrize(("name", "tables"), [("release", TABLES), ("german", translated.TABLES)])
def test_datasets_loads_every_subset_by_its_name(request, name, tables, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    import datasets  # noqa: PLC0415 it takes a second, and reads the environment

    folder = request.getfixturevalue(name)
    for subset in {table.subset for table in tables}:
        loaded = datasets.load_dataset(str(folder), subset, cache_dir=str(tmp_path))
        rows = {t.split: rows_by_hand(folder, t) for t in tables if t.subset == subset}
        assert {split: some.to_list() for split, some in loaded.items()} == rows
        assert all(rows.values())


def plain(value):
    """The library reads numbers with a point by a fast way, whose last digit may differ."""
    if isinstance(value, list):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return round(value, 9)
    return value.decode() if isinstance(value, bytes) else value


def test_mlcroissant_reads_every_kind_of_file_and_objects_to_nothing(release):
    dataset = mlcroissant.Dataset(jsonld=release / "croissant.json")
    assert (dataset.metadata.issues.errors, dataset.metadata.issues.warnings) == (set(), set())
    manifest = json.loads((release / "manifest.json").read_text())["files"]
    described = json.loads((release / "croissant.json").read_text())["distribution"]
    sizes = {path: f"{file['bytes']} B" for path, file in manifest.items() if file["rows"]}
    assert {item["contentUrl"]: item["contentSize"] for item in described} == sizes
    [dev] = (table for table in TABLES if table.tsv == "labeled_final/dev.tsv")
    tables = ("labeled_final/dev", "tsv/labeled_final/dev")
    written = dict.fromkeys(tables, rows_by_hand(release, dev))
    for file in LINE_FILES:
        rows = [*map(json.loads, (release / file.path).read_text().splitlines())]
        name = file.path.removesuffix(".jsonl")  # few sentences have a group
        listed = [column.name for column in file.columns if column.is_catalogued]
        written[name] = [{column: plain(row[column]) for column in listed} for row in rows]
    for name, rows in written.items():
        read = [
            {column.removeprefix(f"{name}/"): plain(value) for column, value in record.items()}
            for record in dataset.records(name)
        ]
        assert read == rows, name
