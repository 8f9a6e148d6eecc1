"""SHA-256 of files and folders, which identifies the version of a model."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

RECORD = "pawsmith.json"  # describes the source of the folder; not part of the model


def folder_digest(folder: Path) -> str:
    """Return the SHA-256 over relative paths and contents of all files except the record."""
    return digest_of(file_digests(folder))


def digest_of(files: Mapping[str, str]) -> str:
    """Return the SHA-256 of a folder, from the digests of its files by relative path."""
    names = sorted(files, key=lambda name: name.split("/"))
    return hashlib.sha256(
        "".join(f"{name}\0{files[name]}\n" for name in names).encode()
    ).hexdigest()


def file_digests(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of a folder by relative path, except the record."""
    return {name: file_digest(folder / name) for name in _names(folder)}


def file_sizes(folder: Path) -> dict[str, int]:
    """Return the size in bytes of each file of a folder by relative path, except the record."""
    return {name: (folder / name).stat().st_size for name in _names(folder)}


def file_digest(path: Path) -> str:
    """Return the SHA-256 of the contents of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _names(folder: Path) -> list[str]:
    found = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in found if name != RECORD)
