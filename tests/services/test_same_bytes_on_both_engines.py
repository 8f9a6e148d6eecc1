"""SQLite and Postgres write the same files from the same rows, byte by byte."""

import json
import shutil
from pathlib import Path

from releases.dataset.verification import verify
from support.services.installation import Installation

APPS = ("accounts", "generation", "annotation", "releases")
BUILD = "from tests.services import full_study\nprint(full_study.release())"
AGAIN = "from tests.services import full_study\nprint(full_study.write_again())"
MAKE = """
from django.core.management import call_command
from annotation.models import Project
from releases.models import PseudonymKey
from tests.services import full_study
full_study.build()
PseudonymKey.objects.update_or_create(project=Project.objects.get(), defaults={{"key": b"k" * 32}})
call_command("dumpdata", {apps}, output="{rows}", verbosity=0)
"""
CONNECTED = "from django.db import connection, transaction\n"
# Triggers look at one row after the other; these rows are whole when the last is there.
LOAD = f"""{CONNECTED}
from django.core.management import call_command
with transaction.atomic(), connection.cursor() as cursor:
    cursor.execute("SET LOCAL session_replication_role = replica")
    call_command("loaddata", "{{rows}}", verbosity=0)
"""
CHANGE = """
from annotation.models import Judgment
from releases.models import Release
Release.objects.all().delete()
slot = Judgment.objects.exclude(submitted_at=None).filter(superseded_by=None).latest("pk")
with transaction.atomic(), connection.cursor() as cursor:
    cursor.execute("SET LOCAL session_replication_role = replica")
    Judgment.objects.filter(pk=slot.pk).update(seconds=99)
"""


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def built(place: Installation, *, after: str = "") -> Path:
    """The folder of a release that is made after something else."""
    return Path(place.run(after + BUILD).strip())


def test_both_engines_write_the_same_bytes_unless_an_answer_differs(
    new_sqlite_database: str, new_postgres_database: str, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.json"
    sqlite = Installation(new_sqlite_database, tmp_path / "sqlite")
    postgres = Installation(new_postgres_database, tmp_path / "postgres")
    made = MAKE.format(apps=", ".join(map(repr, APPS)), rows=rows)
    folder = built(sqlite, after=made)
    one = contents(folder)
    assert verify(folder) == []
    assert_everything_is_in_it(folder)

    other = built(postgres, after=LOAD.format(rows=rows))
    assert contents(other) == one
    # A process that only has the stored rows writes the same again.
    for place in (sqlite, postgres):
        assert contents(Path(place.run(AGAIN).strip())) == one

    shutil.rmtree(other)
    changed = contents(built(postgres, after=CONNECTED + CHANGE))
    documents = {"README.md", "croissant.json", "manifest.json", "paper.tex"}
    assert {path for path in one if one[path] != changed[path]} == {"judgments.jsonl", *documents}


def assert_everything_is_in_it(folder: Path) -> None:
    """The comparison is worth something."""
    counts = json.loads((folder / "manifest.json").read_text())["counts"]
    assert counts["corrections"]["fix"]
    assert counts["recombined"]
    assert "part: `scorer`, name: `trigram`" in (folder / "README.md").read_text()
    assert counts["reopened"] == 1
    assert counts["adjudications"] == 1
    [model] = counts["model_judgments"]
    assert (model["model"], model["revision"], model["labels"]) == ("Modèle", "7", 2)
    assert '"group": "Z"' in (folder / "sentences.jsonl").read_text()
