"""What is taken of hostile pairs is the same in the database, over REST and in a release."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from django.core.management import call_command
from rest_framework.test import APIClient

from annotation.models import Membership
from generation.models import Candidate
from tests.annotation import cast
from tests.annotation.api.conftest import client_of
from tests.generation import hostile

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("kind", hostile.PAIRS)
def test_each_pair_has_a_verdict_and_what_is_taken_is_kept_to_the_byte(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = hostile.PAIRS[kind]()
    path, project = tmp_path / f"pairs.{kind}", cast.study()
    header = hostile.HEADER_OF_PAIRS if kind == "tsv" else b""
    path.write_bytes(header + hostile.ended(lines))

    call_command("import_pairs", path, project=project.name)

    good = {line.text for line in lines if line.text is not None}
    said = capsys.readouterr().out
    assert f"{hostile.LINES:,} lines read, {len(good):,} pairs added" in said
    assert f"{sum(line.text is None for line in lines):,} lines refused" in said
    assert {text.encode() for text in _stored()} == {text.encode() for text in good}
    reader = client_of(cast.person(project, role=Membership.Role.RESEARCHER).user)
    assert good - _over_rest(reader, project.public_id) == set()
    assert good - _released(project.name, tmp_path / "release") == set()


def _stored() -> set[str]:
    return set(Candidate.objects.values_list("text", flat=True))


def _over_rest(reader: APIClient, project: object) -> set[str]:
    address = f"/api/projects/{project}/pairs/"
    reply = reader.get(address, headers={"Accept": "application/x-ndjson"})
    lines = b"".join(reply.streaming_content).decode().rstrip("\n").split("\n")  # type: ignore[attr-defined]
    rows = map(json.loads, lines)
    return {row[side]["text"] for row in rows for side in ("sentence1", "sentence2")}


def _released(project: str, folder: Path) -> set[str]:
    options = {"project": project, "release": "1.0", "dev": 0, "test": 0, "output": folder}
    call_command("build_release", **options)
    call_command("verify_release", folder)
    tables = [pq.read_table(file) for file in folder.glob("parquet/unlabeled_final/*.parquet")]
    in_parquet = {text for table in tables for text in table["sentence2"].to_pylist()}
    in_parquet |= {text for table in tables for text in table["sentence1"].to_pylist()}
    lines = [
        line.decode().split("\t")
        for file in folder.glob("unlabeled_final/*.tsv")
        for line in file.read_bytes().split(b"\n")
    ]
    return in_parquet & {cell for line in lines for cell in line}
