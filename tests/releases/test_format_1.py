"""Releases that were frozen in the first version of their format: they never change.

format_1/ has three, as published, and the rows of the studies that they were built from. They come
from the code as it was before there was a second version, and are not made again.
"""

import json
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command

from evaluation import models_by_name
from releases.dataset.folders import unpack
from releases.dataset.verification import verify
from releases.models import Release
from releases.services import publication
from tests.annotation import judged
from tests.evaluation.small import Memory
from tests.releases.dataset.studies import contents

PLACE = Path(__file__).parent / "format_1"
PLAIN, GRADED, TRANSLATION = (
    PLACE / f"{name}.tar.gz" for name in ("plain", "graded", "translation")
)
# Their bytes depend on the version of pyarrow, and these describe them.
DEPENDENT = ("manifest.json", "croissant.json")


@pytest.fixture(scope="module")
def stored(module_db):
    """The rows as an installation has them that was brought up to date."""
    with judged.without_triggers():
        call_command("loaddata", PLACE / "rows.json.gz", verbosity=0)
    Release.objects.update(format="pawsmith-release/1")
    translations = Release.objects.filter(settings__has_key="source_language")
    translations.update(format="pawsmith-translation/1")


@pytest.fixture
def memory(monkeypatch):
    monkeypatch.setattr(models_by_name, "model", lambda name, **_: Memory())


@pytest.mark.parametrize(
    ("release", "source"), [(PLAIN, None), (GRADED, None), (TRANSLATION, GRADED)]
)
def test_it_verifies(release, source):
    assert verify(release, source) == []


@pytest.mark.parametrize(
    ("releases", "experiment"), [([PLAIN], "plain"), ([GRADED, TRANSLATION], "regimes")]
)
def test_it_is_evaluated(releases, experiment, memory, tmp_path):
    copies = [shutil.copy(release, tmp_path) for release in releases]
    options = ["--models", "memory", "--seeds", "1", "--experiment", experiment]
    call_command("evaluate", *copies, *options)
    [evaluation] = tmp_path.rglob("evaluation.json")
    experiments = json.loads(evaluation.read_text())["experiments"]
    assert any(name.startswith(experiment) for name in experiments)
    assert not any(results["figures"].get("missing") for results in experiments.values())


def without_parquet(folder):
    """Every file of a release: Parquet as its rows, and all that does not tell of their bytes."""
    files = contents(folder)
    for path in [path for path in files if path.endswith(".parquet")]:
        table = pq.read_table(folder / path)
        files[path] = (table.schema, table.to_pylist())
    manifest, croissant = (json.loads(files.pop(name)) for name in DEPENDENT)
    for path in [path for path in manifest["files"] if path not in files or "parquet" in path]:
        del manifest["files"][path]["sha256"], manifest["files"][path]["bytes"]
    for file in croissant["distribution"]:
        if file["name"].endswith(".parquet"):
            del file["sha256"], file["contentSize"]
    return files, manifest, croissant


@pytest.mark.both_engines
@pytest.mark.parametrize(
    ("archive", "project"),
    [(PLAIN, "Swaps"), (GRADED, "Definitions"), (TRANSLATION, "Definitions (de)")],
)
def test_it_is_written_again_byte_for_byte(archive, project, db, stored, tmp_path):
    release = Release.objects.get(project__name=project)
    release.manifest = None
    release.save()
    publication.write_files(release, tmp_path / "again")
    with unpack(archive) as folder:
        assert without_parquet(tmp_path / "again") == without_parquet(folder)
