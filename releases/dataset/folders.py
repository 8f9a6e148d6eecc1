"""The folder of a release, its texts, and its archive."""

import gzip
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path, PurePosixPath

from releases.dataset.reader import Unreadable

FOLDER_MODE, FILE_MODE = 0o755, 0o644
MAGIC_OF_GZIP = b"\x1f\x8b"
NAME_ONE = "name the folder of a release, or its .tar.gz"
NOT_THERE = f"does not exist: {NAME_ONE}"
NO_RELEASE = (
    "is neither a folder nor a .tar.gz (of the table of a published set, import_release makes a "
    f"release): {NAME_ONE}"
)
DAMAGED = "cannot be unpacked, so it is damaged ({reason}): copy the release again"


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


@contextmanager
def unpack(release: Path) -> Iterator[Path]:
    """Yield the folder of a release, unpacked if it is an archive.

    Raises Unreadable for anything else, and for an archive that is damaged, or that has links or
    paths outside its folder.
    """
    if release.is_dir():
        yield release
        return
    with tempfile.TemporaryDirectory() as scratch:
        try:
            folder = _extract(release, Path(scratch))
        except (OSError, EOFError, tarfile.TarError, zlib.error) as error:
            raise Unreadable(str(release), DAMAGED.format(reason=error)) from error
        yield folder


def _extract(archive: Path, into: Path) -> Path:
    if not archive.exists():
        raise Unreadable(str(archive), NOT_THERE)
    with archive.open("rb") as file:
        if file.read(len(MAGIC_OF_GZIP)) != MAGIC_OF_GZIP:
            raise Unreadable(str(archive), NO_RELEASE)
    # Of gzip only: the header of an .xz may ask for 4 GB of memory.
    with tarfile.open(archive, "r:gz") as tar:
        # Python before 3.11.4, such as Debian 12's, has no filters that refuse these.
        for member in tar.getmembers():
            path, is_plain = Path(member.name), member.isfile() or member.isdir()
            if path.is_absolute() or ".." in path.parts or not is_plain:
                raise tarfile.ReadError(f"{member.name} is not a file or folder inside the archive")
        # Python 3.12 and 3.13 warn where none is chosen.
        tar.extraction_filter = lambda member, _path: member
        tar.extractall(into)  # noqa: S202 (checked above)
    folders = [path for path in into.iterdir() if path.is_dir()]
    return folders[0] if len(folders) == 1 else into
