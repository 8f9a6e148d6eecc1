import hashlib
import os
import tarfile
from pathlib import Path

from annotation.dataset.archive import pack

CREATED = "2026-11-21T08:00:00+00:00"


def release(parent: Path) -> Path:
    folder = parent / "pairs-1.0.0"
    (folder / "labeled_final").mkdir(parents=True)
    (folder / "README.md").write_text("# Pairs\n")
    (folder / "labeled_final" / "dev.tsv").write_text("id\n")
    return folder


def test_the_same_folder_gives_the_same_bytes_whenever_it_was_written(tmp_path: Path) -> None:
    folder = release(tmp_path)
    pack(folder, tmp_path / "one.tar.gz", created=CREATED)
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
        path.chmod(0o700)
    pack(folder, tmp_path / "two.tar.gz", created=CREATED)
    one, two = ((tmp_path / name).read_bytes() for name in ("one.tar.gz", "two.tar.gz"))
    assert hashlib.sha256(one).digest() == hashlib.sha256(two).digest()


def test_the_archive_holds_the_folder_and_tells_nothing_of_the_machine(tmp_path: Path) -> None:
    pack(release(tmp_path), tmp_path / "one.tar.gz", created=CREATED)
    with tarfile.open(tmp_path / "one.tar.gz") as archive:
        entries = archive.getmembers()
    assert [entry.name for entry in entries] == [
        "pairs-1.0.0",
        "pairs-1.0.0/README.md",
        "pairs-1.0.0/labeled_final",
        "pairs-1.0.0/labeled_final/dev.tsv",
    ]
    assert {(entry.uid, entry.uname, entry.mtime) for entry in entries} == {(0, "", 1795248000)}
