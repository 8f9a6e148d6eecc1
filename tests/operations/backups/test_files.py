"""Files of releases in backups: each version of a file is there once, however many backups are."""

import os

import pytest

from operations.backups import files
from operations.backups.manifest import Stored


@pytest.fixture
def source(tmp_path):
    top = tmp_path / "releases"
    for path in ("study/1.0/README.md", "study/1.0/data/train.tsv", "study/.archives/1.0.tar.gz"):
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(f"This is {path}.")
    return top


def kept(source, target, before=None, known=None):
    return files.keep(source, target, before=before or target, known=known or {})


def test_every_file_is_copied_and_described(source, tmp_path):
    stored = kept(source, tmp_path / "one")
    assert list(stored) == [
        "study/.archives/1.0.tar.gz",
        "study/1.0/README.md",
        "study/1.0/data/train.tsv",
    ]
    for path, entry in stored.items():
        assert (tmp_path / "one" / path).read_text() == (source / path).read_text()
        assert entry == files.described(source / path)


def test_what_is_being_written_is_left_out(source, tmp_path):
    workshop = source / "study" / ".0c0f7e05" / "1" / "2.0"
    workshop.mkdir(parents=True)
    workshop.joinpath("README.md").write_text("half")
    assert not [path for path in kept(source, tmp_path / "one") if "2.0" in path]


def test_without_any_release_there_is_nothing(tmp_path):
    assert kept(tmp_path / "none", tmp_path / "one") == {}


def test_what_the_last_backup_holds_takes_no_space_again(source, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    first = kept(source, one)
    assert kept(source, two, before=one, known=first) == first
    for path in first:
        assert (one / path).samefile(two / path)


def test_a_file_that_was_written_anew_is_copied(source, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    first = kept(source, one)
    changed = source / "study/1.0/README.md"
    changed.write_text("That is study/1.0/README.md.")
    os.utime(changed, (1, 1))
    second = kept(source, two, before=one, known=first)
    assert second["study/1.0/README.md"] != first["study/1.0/README.md"]
    assert (two / "study/1.0/README.md").read_text() == changed.read_text()


def test_a_file_that_the_last_backup_has_lost_is_copied(source, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    first = kept(source, one)
    (one / "study/1.0/README.md").unlink()
    assert kept(source, two, before=one, known=first) == first
    assert (two / "study/1.0/README.md").exists()


def test_a_file_that_goes_while_others_are_copied_is_left_out(source, tmp_path, monkeypatch):
    copy = files.copy

    def withdraw(one, other):
        if one.name == "README.md":
            one.unlink()
        copy(one, other)

    monkeypatch.setattr(files, "copy", withdraw)
    assert "study/1.0/README.md" not in kept(source, tmp_path / "one")


def test_a_description_is_of_every_byte(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"abc")
    assert files.described(file) == Stored(
        3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    )
