import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mlcroissant
import pandas as pd
import pytest

from annotation.dataset.columns import COLUMNS
from annotation.dataset.content import AdjudicationRow, Content, GuestRow, entries
from annotation.dataset.plan import plan
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.writers import write_content
from tests.annotation.dataset.studies import FACTS, study

SETTINGS = ReleaseSettings(seed=7)
# The library warns of what pandas is going to change under it.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release with every file that there can be."""
    path = tmp_path_factory.mktemp("releases") / "1.0.0"
    some = study(families=100)
    planned = plan(some.sentences, some.pairs, some.candidates, settings=SETTINGS)
    low = [pair.id for pair in planned.pairs if pair.subset == "low_agreement"]
    content = Content(
        entries=entries(planned),
        sentences=some.sentences,
        judgments=some.judgments,
        adjudications=[AdjudicationRow(low[0], 1), AdjudicationRow(low[1], None)],
        guests=[GuestRow(low[0], "Model", "7", 1, 0.75), GuestRow(low[1], "Model", "7", 0, None)],
    )
    write_content(path, content, facts=FACTS, settings=SETTINGS)
    return path


@pytest.fixture(scope="module")
def described(folder: Path) -> Any:
    return json.loads((folder / "croissant.json").read_text())


@pytest.fixture(scope="module")
def dataset(folder: Path) -> mlcroissant.Dataset:
    return mlcroissant.Dataset(jsonld=folder / "croissant.json")


def loaded(dataset: mlcroissant.Dataset, records: str) -> list[dict[str, Any]]:
    """Records as the reference library gives them, by the names of their columns."""
    return [
        {name.removeprefix(f"{records}/"): plain(value) for name, value in record.items()}
        for record in dataset.records(records)
    ]


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value.decode() if isinstance(value, bytes) else value


def near(row: dict[str, Any]) -> dict[str, Any]:
    return {k: round(each, 9) if isinstance(each, float) else each for k, each in row.items()}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def files_with_rows(folder: Path) -> set[str]:
    kinds = {".tsv", ".parquet", ".jsonl"}
    return {str(path.relative_to(folder)) for path in folder.rglob("*.*") if path.suffix in kinds}


def test_the_reference_library_finds_nothing_to_object_to(dataset: mlcroissant.Dataset) -> None:
    issues = dataset.metadata.issues

    assert (issues.errors, issues.warnings) == (set(), set())


@pytest.mark.parametrize("records", ["labeled_final/dev", "tsv/labeled_final/dev"])
def test_the_reference_library_reads_tables(
    folder: Path, dataset: mlcroissant.Dataset, records: str
) -> None:
    written = (folder / "labeled_final" / "dev.tsv").read_text().splitlines()[1:]

    read = loaded(dataset, records)

    assert len(read) > 1
    assert ["\t".join(map(str, record.values())) for record in read] == written


@pytest.mark.parametrize("records", ["pairs", "judgments", "adjudications", "guests"])
def test_the_reference_library_reads_lines(
    folder: Path, dataset: mlcroissant.Dataset, records: str
) -> None:
    written = lines(folder / f"{records}.jsonl")

    # The library reads numbers with a point by a fast way, whose last digit may differ.
    assert [near(row) for row in loaded(dataset, records)] == [near(row) for row in written]


def test_the_reference_library_reads_sentences(folder: Path, dataset: mlcroissant.Dataset) -> None:
    told = [column.name for column in COLUMNS["sentences.jsonl"]]
    written = lines(folder / "sentences.jsonl")

    assert loaded(dataset, "sentences") == [{name: row[name] for name in told} for row in written]


def test_every_file_with_rows_is_described(folder: Path, described: Any) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())["files"]

    told = {item["contentUrl"]: item for item in described["distribution"]}
    assert told.keys() == files_with_rows(folder)
    for path, item in told.items():
        assert item["sha256"] == manifest[path]["sha256"]
        assert item["contentSize"] == f"{manifest[path]['bytes']} B"


def test_every_file_with_rows_is_a_set_of_records(folder: Path, described: Any) -> None:
    sources = [
        {field["source"]["fileObject"]["@id"] for field in records["field"]}
        for records in described["recordSet"]
    ]

    assert sorted(path for (path,) in sources) == sorted(files_with_rows(folder))


def test_the_columns_that_are_told_are_those_that_are_there(folder: Path) -> None:
    for path in files_with_rows(folder):
        assert [column.name for column in COLUMNS[path]] == columns(folder / path), path


def columns(path: Path) -> list[str]:
    if path.suffix == ".parquet":
        return list(pd.read_parquet(path).columns)
    if path.suffix == ".tsv":
        return path.read_text().splitlines()[0].split("\t")
    first: Mapping[str, Any] = lines(path)[0]
    return [name for name in first if name != "group"]  # which few sentences have
