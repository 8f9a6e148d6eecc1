"""Files of releases: they never change, so what an earlier backup holds is not copied again."""

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
    """Put every file of `source` into `target`; returns what was put there, by path.

    `known` are files under `before`, on the same disk as `target`: those that are the same as in
    `source` are linked. Files that disappear meanwhile belonged to a release that was withdrawn.
    """
    stored = {}
    for path in _paths(source):
        with suppress(FileNotFoundError):
            stored[path] = _kept(source / path, target / path, before / path, known.get(path))
    return stored


def described(file: Path) -> Stored:
    """Bytes and digest of a file."""
    with file.open("rb") as opened:
        digest = file_digest(opened, "sha256").hexdigest()
        return Stored(os.fstat(opened.fileno()).st_size, digest)


def copy(source: Path, target: Path) -> None:
    """Copy a file with its times, and wait until it is on disk."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
    flush(target)


def flush(path: Path) -> None:
    """Wait until a file or a folder is on disk."""
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def flush_folders(top: Path) -> None:
    """Wait until the names of everything below a folder are on disk."""
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
    """Copies keep the times of what they were made of."""
    if not before.is_file():
        return False
    one, other = source.stat(), before.stat()
    return (one.st_size, one.st_mtime_ns) == (other.st_size, other.st_mtime_ns)


def _paths(top: Path) -> Iterator[str]:
    """Of all files in order, but for what is being written: its folder begins with a dot."""
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(
            name for name in folders if name == ARCHIVES or not name.startswith(".")
        )
        for name in sorted(files):
            yield str((Path(folder) / name).relative_to(top))
