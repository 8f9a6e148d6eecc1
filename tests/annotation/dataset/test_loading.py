"""A release is loaded as its readers load it: by `datasets` and by pandas, offline."""

import csv
import os
from pathlib import Path

import pandas as pd
import pytest

from annotation.dataset.plan import plan
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.tables import TABLES, Table
from annotation.dataset.writers import write_release
from tests.annotation.dataset.studies import FACTS, study

SETTINGS = ReleaseSettings(seed=7)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("releases") / "1.0"
    some = study(families=80)
    write_release(
        path,
        plan(some.sentences, some.pairs, some.candidates, settings=SETTINGS),
        sentences=some.sentences,
        judgments=some.judgments,
        facts=FACTS,
        settings=SETTINGS,
    )
    return path


def rows_of(folder: Path, table: Table) -> list[dict[str, object]]:
    """The rows of a table, from its TSV file by hand."""
    header, *lines = (folder / table.tsv).read_text(encoding="utf-8").split("\n")[:-1]
    return [
        {
            name: int(cell) if name in table.values else cell
            for name, cell in zip(header.split("\t"), line.split("\t"), strict=True)
        }
        for line in lines
    ]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.tsv)
def test_pandas_reads_tsv_and_parquet_alike(folder: Path, table: Table) -> None:
    tsv = pd.read_csv(folder / table.tsv, sep="\t", quoting=csv.QUOTE_NONE, keep_default_na=False)
    parquet = pd.read_parquet(folder / table.parquet)
    assert tsv.to_dict("records") == rows_of(folder, table)
    assert parquet.to_dict("records") == rows_of(folder, table)


def test_pandas_reads_the_lines_of_judgments(folder: Path) -> None:
    judgments = pd.read_json(folder / "judgments.jsonl", lines=True)
    assert len(judgments) == (folder / "judgments.jsonl").read_text().count("\n")
    assert set(judgments.columns) == {"pair", "annotator", "label", "seconds", "simulated"}


@pytest.mark.filterwarnings("ignore")
def test_datasets_loads_every_subset_by_its_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "HF_HUB_OFFLINE", "1")
    monkeypatch.setitem(os.environ, "HF_DATASETS_OFFLINE", "1")
    import datasets  # noqa: PLC0415 it takes a second, and reads the environment

    for subset in sorted({table.subset for table in TABLES}):
        loaded = datasets.load_dataset(str(folder), subset, cache_dir=str(tmp_path))
        tables = {table.split: table for table in TABLES if table.subset == subset}
        assert set(loaded) == set(tables)
        for split, table in tables.items():
            assert loaded[split].to_list() == rows_of(folder, table)
