"""A file that was changed, is missing or is one too many is found."""

from pathlib import Path

import pytest

from annotation.dataset import rules
from annotation.dataset.archive import pack
from annotation.dataset.reading import read_release
from annotation.dataset.verification import FILES, verify
from tests.annotation.dataset.studies import FACTS
from tests.annotation.dataset.verification.tampering import sign


def test_a_release_as_it_was_written_has_no_difference(untouched: Path) -> None:
    assert verify(untouched) == []


@pytest.mark.parametrize("rule", [*rules.REFERENCES, *rules.RULES])
def test_a_true_release_breaks_no_rule(untouched: Path, rule: rules.Rule) -> None:
    assert list(rule(read_release(untouched))) == []


def test_signing_alone_makes_no_difference(folder: Path) -> None:
    sign(folder)
    assert verify(folder) == []


def test_an_archive_is_verified_like_a_folder(untouched: Path, tmp_path: Path) -> None:
    archive = tmp_path / "release.tar.gz"
    pack(untouched, archive, created=FACTS.created)
    assert verify(archive) == []


@pytest.mark.parametrize("path", sorted(FILES))
def test_a_changed_byte_is_found_in_every_file(folder: Path, path: str) -> None:
    content = bytearray((folder / path).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / path).write_bytes(content)
    assert path in {difference.path for difference in verify(folder)}


@pytest.mark.parametrize("path", sorted(FILES))
def test_a_missing_file_is_found(folder: Path, path: str) -> None:
    (folder / path).unlink()
    assert rules.Difference(path, "is missing") in verify(folder)


@pytest.mark.parametrize("path", ["notes.txt", "labeled_final/.dev.tsv.swp", "parquet/x.parquet"])
def test_an_extra_file_is_found(folder: Path, path: str) -> None:
    (folder / path).write_text("")
    assert verify(folder) == [rules.Difference(path, "is no file of a release")]


@pytest.mark.parametrize("content", ["", "{", "[]", '{"format": "pawsmith-release/1"}', "[" * 9999])
def test_a_manifest_that_is_none_is_found(folder: Path, content: str) -> None:
    (folder / "manifest.json").write_text(content)
    assert [difference.path for difference in verify(folder)] == ["manifest.json"]
