"""Packs a release as one .tar.gz: the same folder gives the same bytes."""

import gzip
import tarfile
from datetime import datetime
from pathlib import Path

FOLDER, FILE = 0o755, 0o644


def pack(folder: Path, archive: Path, *, created: str) -> None:
    """Pack a release into an archive that contains one folder of the same name.

    `created`, an ISO 8601 time with its zone, becomes the modification time of every entry.
    """
    moment = int(datetime.fromisoformat(created).timestamp())
    with (
        archive.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as packed,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in (folder, *sorted(folder.rglob("*"))):
            add(tar, path, name=str(path.relative_to(folder.parent)), moment=moment)


def add(tar: tarfile.TarFile, path: Path, *, name: str, moment: int) -> None:
    """Add a file or folder without metadata of this machine."""
    entry = tarfile.TarInfo(name)
    entry.mtime = moment
    if path.is_dir():
        entry.type, entry.mode = tarfile.DIRTYPE, FOLDER
        tar.addfile(entry)
        return
    entry.mode, entry.size = FILE, path.stat().st_size
    with path.open("rb") as file:
        tar.addfile(entry, file)
