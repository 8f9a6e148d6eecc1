"""Digests of model folders."""

from pathlib import Path

from generation.nlp.adapters.digests import RECORD, file_sizes, folder_digest


def test_the_digest_changes_with_any_file_and_any_name(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"1")
    before = folder_digest(tmp_path)
    (tmp_path / "weights").write_bytes(b"2")
    changed = folder_digest(tmp_path)
    (tmp_path / "weights").rename(tmp_path / "renamed")

    assert len({before, changed, folder_digest(tmp_path)}) == 3


def test_the_record_is_no_part_of_the_model(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"1")
    before = folder_digest(tmp_path)
    (tmp_path / RECORD).write_text("{}")

    assert folder_digest(tmp_path) == before
    assert file_sizes(tmp_path) == {"weights": 1}


def test_files_of_folders_inside_count(tmp_path: Path) -> None:
    before = folder_digest(tmp_path)
    (tmp_path / "ner").mkdir()
    (tmp_path / "ner" / "model").write_bytes(b"1")

    assert folder_digest(tmp_path) != before
    assert file_sizes(tmp_path) == {"ner/model": 1}
