import json
from pathlib import Path

import mlcroissant
import pytest

from annotation.dataset.plan import plan
from annotation.dataset.settings import ReleaseSettings
from annotation.dataset.writers import write_release
from tests.annotation.dataset.studies import FACTS, study

SETTINGS = ReleaseSettings(seed=7)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("releases") / "1.0.0"
    some = study(families=100)
    planned = plan(some.sentences, some.pairs, some.candidates, settings=SETTINGS)
    write_release(
        path,
        planned,
        sentences=some.sentences,
        judgments=some.judgments,
        facts=FACTS,
        settings=SETTINGS,
    )
    return path


@pytest.mark.filterwarnings("ignore")
def test_the_reference_library_reads_the_records(folder: Path) -> None:
    dataset = mlcroissant.Dataset(jsonld=folder / "croissant.json")
    assert not dataset.metadata.issues.errors
    records = list(dataset.records("labeled_final/dev"))
    lines = (folder / "labeled_final" / "dev.tsv").read_text().splitlines()[1:]
    read = [
        "\t".join(v.decode() if isinstance(v, bytes) else str(v) for v in record.values())
        for record in records
    ]
    assert read == lines


def test_every_data_file_is_described(folder: Path) -> None:
    described = json.loads((folder / "croissant.json").read_text())
    files = {
        str(path.relative_to(folder))
        for path in folder.rglob("*.*")
        if path.suffix in {".tsv", ".parquet", ".jsonl"}
    }
    assert {item["contentUrl"] for item in described["distribution"]} == files
