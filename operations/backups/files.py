"""Release files: they never change, so files of an earlier backup are not copied again."""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path

from operations.backups.manifest import Stored
from releases.selectors.published import ARCHIVES


def keep(
    source: Path, target: Path, *, before: Path, known: Mapping[str, Stored]
) -> dict[str, Stored]:
    """Put every file of `source` into `target`. Returns the files of `target` by path.

    `known` describes files under `before`, on the same disk as `target`: if unchanged, they are
    linked. Files that disappear meanwhile belonged to a withdrawn release.
    """
    stored = {}
    for path in _paths(source):
        with suppress(FileNotFoundError):
            stored[path] = _kept(source / path, target / path, before / path, known.get(path))
    return stored


def described(file: Path) -> Stored:
    """Return the size and the digest of a file."""
    with file.open("rb") as opened:
        digest = file_digest(opened, "sha256").hexdigest()
        return Stored(os.fstat(opened.fileno()).st_size, digest)


def copy(source: Path, target: Path) -> None:
    """Copy a file with its times, and flush it to disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
    flush(target)


def flush(path: Path) -> None:
    """Flush a file or a folder to disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def flush_folders(top: Path) -> None:
    """Flush a folder and all folders below it to disk."""
    for folder, _folders, _files in os.walk(top):
        flush(Path(folder))


def _kept(source: Path, target: Path, before: Path, known: Stored | None) -> Stored:
    if known is not None and _is_same(source, before):
        target.parent.mkdir(parents=True, exist_ok=True)
        os.link(before, target)
        return known
    copy(source, target)
    return described(target)


def _is_same(source: Path, before: Path) -> bool:
    """Return whether size and modification time are equal; copies keep both."""
    if not before.is_file():
        return False
    one, other = source.stat(), before.stat()
    return (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


def _paths(top: Path) -> Iterator[str]:
    """Yield all paths in order, except unfinished releases, whose folders begin with a dot."""
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(
            name for name in folders if name == ARCHIVES or not name.startswith(".")
        )
        for name in sorted(files):
            yield str((Path(folder) / name).relative_to(top))
