"""Published sets as people have them: files, a folder, or its archive."""

import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from releases.dataset.published.settings import UnusableSet

MOST_ENTRIES, MOST_BYTES = 1_000, 4_000_000_000
SUFFIXES = (".zip", ".tar.gz", ".tgz")
# A name, the size in bytes, and whether it is a file or a folder.
Entry = tuple[str, int, bool]


@contextmanager
def unpacked(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Yield the paths, with a temporary folder in the place of each archive. Raises UnusableSet."""
    with TemporaryDirectory(prefix="pawsmith-") as temporary:
        yield [
            _unpack(path, Path(temporary) / str(number) / path.name) if _is_archive(path) else path
            for number, path in enumerate(paths)
        ]


def _is_archive(path: Path) -> bool:
    return path.is_file() and path.name.casefold().endswith(SUFFIXES)


def _unpack(path: Path, folder: Path) -> Path:
    """Unpack an archive; return its folder, or, of folders that are alone in theirs, the last."""
    folder.mkdir(parents=True)
    try:
        if path.name.casefold().endswith(".zip"):
            with zipfile.ZipFile(path) as archive:
                _check(path, map(_entry_of_zip, archive.infolist()))
                archive.extractall(folder)  # noqa: S202 its names were checked
        else:
            with tarfile.open(path, "r:gz") as tar:
                _check(path, ((entry.name, entry.size, _is_plain(entry)) for entry in tar))
                # Python before 3.11.4 has no filters; 3.12 and 3.13 warn where none is chosen.
                tar.extraction_filter = lambda member, _path: member
                tar.extractall(folder)  # noqa: S202 its names were checked
    except (
        zipfile.BadZipFile,
        tarfile.TarError,
        OSError,
        EOFError,
        RuntimeError,
        zlib.error,
    ) as error:
        raise UnusableSet(f"{path.name}: {error}. Pack it again.") from error
    shutil.rmtree(folder / "__MACOSX", ignore_errors=True)
    while len(names := list(folder.iterdir())) == 1 and names[0].is_dir():
        folder = names[0]
    return folder


def _entry_of_zip(entry: zipfile.ZipInfo) -> Entry:
    mode = entry.external_attr >> 16
    return entry.filename, entry.file_size, not stat.S_ISLNK(mode)


def _is_plain(entry: tarfile.TarInfo) -> bool:
    return entry.isreg() or entry.isdir()


def _check(path: Path, entries: Iterable[Entry]) -> None:
    size = 0
    for number, (name, bytes_of_entry, is_plain) in enumerate(entries, 1):
        size += bytes_of_entry
        parts = PurePosixPath(name)
        if not is_plain or parts.is_absolute() or ".." in parts.parts:
            raise UnusableSet(
                f"{path.name}: {name} is a link or lies outside the folder. Pack plain files alone."
            )
        if number > MOST_ENTRIES or size > MOST_BYTES:
            raise UnusableSet(
                f"{path.name} has more than {MOST_ENTRIES:,} files or "
                f"{MOST_BYTES // 10**9} GB. Unpack it and name the files of one set."
            )
