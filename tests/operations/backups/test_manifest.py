"""What a backup says of itself."""

import json
from datetime import UTC, datetime

import pytest

from operations.backups.manifest import BackupError, Census, Manifest, Stored, Table

CENSUS = Census({"b": Table(2, "bb"), "a": Table(1, "aa")}, ("accounts.0001_initial",))
MANIFEST = Manifest(
    made_at=datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC),
    version="1.2.3",
    engine="sqlite",
    census=CENSUS,
    database=Stored(100, "dd"),
    releases={"p/1.0/README.md": Stored(10, "rr")},
)


def test_it_is_read_as_it_was_written(tmp_path):
    MANIFEST.write(tmp_path / "manifest.json")
    assert Manifest.read(tmp_path / "manifest.json") == MANIFEST


def test_its_bytes_are_those_of_all_files():
    assert MANIFEST.bytes == 110
    assert MANIFEST.census.rows == 3


def test_the_order_of_tables_does_not_matter_to_the_digest():
    other = Census({"a": Table(1, "aa"), "b": Table(2, "bb")}, ())
    assert other.digest == CENSUS.digest


@pytest.mark.parametrize(
    "tables",
    [
        {"a": Table(1, "aa")},
        {"a": Table(1, "aa"), "b": Table(3, "bb")},
        {"a": Table(1, "aa"), "b": Table(2, "bc")},
        {"a": Table(1, "aa"), "c": Table(2, "bb")},
    ],
)
def test_any_other_row_is_another_digest_and_its_table_is_named(tables):
    other = Census(tables, ())
    assert other.digest != CENSUS.digest
    assert "b" in CENSUS.differing(other)
    assert "a" not in CENSUS.differing(other)


def test_a_folder_without_one_is_no_backup(tmp_path):
    with pytest.raises(BackupError, match="is no backup"):
        Manifest.read(tmp_path / "manifest.json")


@pytest.mark.parametrize(
    "change",
    [
        {"format": "pawsmith-backup/2"},
        {"made_at": "yesterday"},
        {"census": None},
        {"database": {"bytes": 1}},
    ],
)
def test_one_that_says_something_else_is_damaged(tmp_path, change):
    file = tmp_path / "manifest.json"
    MANIFEST.write(file)
    file.write_text(json.dumps(json.loads(file.read_text()) | change))
    with pytest.raises(BackupError, match="is damaged"):
        Manifest.read(file)


def test_a_changed_digest_of_a_table_is_noticed(tmp_path):
    file = tmp_path / "manifest.json"
    MANIFEST.write(file)
    file.write_text(file.read_text().replace('"aa"', '"ab"'))
    with pytest.raises(BackupError, match="digest"):
        Manifest.read(file)
