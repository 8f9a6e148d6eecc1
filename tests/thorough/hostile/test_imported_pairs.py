"""Hostile pairs that are taken are the same bytes in the database and in a release."""

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command

from generation.models import Candidate
from tests.annotation import cast
from tests.generation import hostile

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", hostile.PAIRS)
def test_each_pair_has_a_verdict_and_what_is_taken_is_kept_to_the_byte(kind, tmp_path, capsys):
    lines = hostile.PAIRS[kind]()
    path, project = tmp_path / f"pairs.{kind}", cast.study()
    header = hostile.HEADER_OF_PAIRS if kind == "tsv" else b""
    path.write_bytes(header + hostile.ended(lines))
    call_command("import_pairs", path, project=project.name)
    good = {line.text for line in lines if line.text is not None}
    out = capsys.readouterr().out
    assert f"{hostile.LINES:,} lines read, {len(good):,} pairs added" in out
    assert f"{sum(line.text is None for line in lines):,} lines refused" in out
    stored = set(Candidate.objects.values_list("text", flat=True))
    assert {text.encode() for text in stored} == {text.encode() for text in good}
    assert good - released(project.name, tmp_path / "release") == set()


def released(project, folder):
    """What is both in the Parquet files and in the TSV files of a release."""
    options = {"project": project, "release": "1.0", "dev": 0, "test": 0, "output": folder}
    call_command("build_release", **options)
    call_command("verify_release", folder)
    tables = [pq.read_table(file) for file in folder.glob("parquet/unlabeled_final/*.parquet")]
    columns = [table[side] for table in tables for side in ("sentence1", "sentence2")]
    in_parquet = {text for column in columns for text in column.to_pylist()}
    files = [file.read_bytes().decode() for file in folder.glob("unlabeled_final/*.tsv")]
    return in_parquet & {cell for text in files for cell in text.replace("\n", "\t").split("\t")}
