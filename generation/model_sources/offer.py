"""The interface of model sources: what they offer, and how it is fetched."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from generation.errors import GenerationError
from generation.model_sources.files import Kind
from generation.nlp.adapters.digests import file_digest


class NotFetched(GenerationError):
    """A model was not fetched; the message says why. No partial files are kept."""


class Unreachable(NotFetched):
    """A source did not respond; the message gives its address."""


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file at a source: its size in bytes, and its SHA-256 if the source provides one."""

    name: str
    size: int
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model at a source, at one revision: the files to download."""

    kind: Kind
    address: str
    revision: str
    licence: str
    files: tuple[OfferedFile, ...]

    @property
    def size(self) -> int:
        """Bytes to download or copy."""
        return sum(file.size for file in self.files)


class Source(Protocol):
    """A place to fetch a model from."""

    def offer(self) -> Offer:
        """Return the files to fetch. Raises NotFetched."""
        ...

    def bring(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Write the files of a model into an empty folder, and verify them.

        Returns the SHA-256, by name, of archives and files that were not kept. Raises NotFetched.
        """
        ...


def verify(files: Iterable[OfferedFile], folder: Path) -> None:
    """Raise NotFetched if a file in the folder differs from the offered one."""
    for file in files:
        path = folder / file.name
        right = path.is_file() and path.stat().st_size == file.size
        if not right or (file.sha256 and file_digest(path) != file.sha256):
            raise NotFetched(f"{file.name} did not arrive as its source described it.")
