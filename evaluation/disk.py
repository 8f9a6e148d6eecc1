"""Errors of a disk that say where they were met."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def naming(folder: Path) -> Iterator[None]:
    """Let an OSError that names no file, such as that of a full disk, name the folder."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or str(folder)
        raise
