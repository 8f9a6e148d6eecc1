"""The folder of a release, its texts, and its archive."""

import gzip
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath

FOLDER_MODE, FILE_MODE = 0o755, 0o644


@contextmanager
def new_folder(folder: Path) -> Iterator[Path]:
    """Yield a temporary folder that is renamed to `folder` on success."""
    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise FileExistsError(
            f"{folder} exists, and a release is never changed in place: name a new folder"
        )
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    try:
        yield partial
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")


def pack(folder: Path, archive: Path, *, name: str, created: str) -> None:
    """Pack a release into a .tar.gz that contains one folder of this name.

    `created`, an ISO 8601 time with its zone, becomes the modification time of every entry. Nothing
    else of this machine is in the archive.
    """
    moment = int(datetime.fromisoformat(created).timestamp())
    with (
        archive.open("wb") as raw,
        gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0) as gzipped,
        tarfile.open(fileobj=gzipped, mode="w", format=tarfile.PAX_FORMAT) as tar,
    ):
        for path in (folder, *sorted(folder.rglob("*"))):
            entry = tarfile.TarInfo(str(PurePosixPath(name, path.relative_to(folder))))
            entry.mtime = moment
            if path.is_dir():
                entry.type, entry.mode = tarfile.DIRTYPE, FOLDER_MODE
                tar.addfile(entry)
            else:
                entry.mode, entry.size = FILE_MODE, path.stat().st_size
                with path.open("rb") as file:
                    tar.addfile(entry, file)
