"""Hostile pairs that are taken are the same bytes in the database and in a release."""

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command

from generation.models import Candidate
from support import hostile_lines
from tests.annotation import judged, make

pytestmark = pytest.mark.django_db
METHOD_CELL, METHOD_KEY = b"\tback_translation\n", b'{"method": "back_translation", "sentence1"'


@pytest.mark.parametrize("kind", ["tsv", "jsonl"])
def test_pairs_are_stored_and_released_to_the_byte_or_refused(kind, tmp_path, capsys):
    # What is an id in a file of sentences is the source here, where it may be longer.
    lines = [line for line in hostile_lines.FILES[kind]() if b"Too long an id" not in line.data]
    content = b"".join(line.data + (METHOD_CELL if kind == "tsv" else b"\n") for line in lines)
    content = content.replace(b'{"id"', METHOD_KEY).replace(b'"text"', b'"sentence2"')
    path, folder, project = tmp_path / f"pairs.{kind}", tmp_path / "release", make.study()
    path.write_bytes((b"sentence1\tsentence2\tmethod\n" if kind == "tsv" else b"") + content)
    call_command("import_pairs", path, project=project.name, encoding="utf-8")
    good = {line.text for line in lines if line.text is not None}
    out = capsys.readouterr().out
    assert f"{len(lines):,} lines read, {len(good):,} pairs added" in out
    assert f"{len(lines) - len(good):,} lines refused" in out
    assert set(Candidate.objects.values_list("text", flat=True)) == good

    judged.pairs(project, [[1] * 5], by=judged.people(project, 5))  # without any, nothing is built
    options = {"project": project.name, "release": "1.0", "dev": 0, "test": 0, "output": folder}
    call_command("build_release", **options)
    call_command("verify_release", folder)
    tables = [pq.read_table(file) for file in folder.glob("parquet/unlabeled_final/*.parquet")]
    columns = [table[side] for table in tables for side in ("sentence1", "sentence2")]
    assert good <= {text for column in columns for text in column.to_pylist()}
    files = [file.read_bytes().decode() for file in folder.glob("unlabeled_final/*.tsv")]
    assert good <= {cell for text in files for cell in text.replace("\n", "\t").split("\t")}
