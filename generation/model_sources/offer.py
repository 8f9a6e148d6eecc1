"""What a source has to offer, and the one seam through which models come in."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from generation.errors import GenerationError
from generation.model_sources.files import Kind
from generation.nlp.adapters.digests import file_digest


class NotFetched(GenerationError):
    """A model did not come in; the text says why, and nothing of it is left behind."""


class Unreachable(NotFetched):
    """A source did not answer; the text says where it was looked for."""


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """A file at a source: its size in bytes, and its SHA-256 where the source tells it."""

    name: str
    size: int
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model at a source, at one revision: the files that will be downloaded."""

    kind: Kind
    address: str
    revision: str
    licence: str
    files: tuple[OfferedFile, ...]

    @property
    def size(self) -> int:
        """Bytes to download, or to copy."""
        return sum(file.size for file in self.files)


class Source(Protocol):
    """A place that has a model."""

    def offer(self) -> Offer:
        """What there is. Raises NotFetched."""
        ...

    def bring(self, offer: Offer, folder: Path) -> dict[str, str]:
        """Put the files of a model into an empty folder, and verify them.

        Returns the SHA-256 of what was unpacked and not kept, by name. Raises NotFetched.
        """
        ...


def verify(files: Iterable[OfferedFile], folder: Path) -> None:
    """Raise NotFetched where a file in the folder is not the one that was offered."""
    for file in files:
        path = folder / file.name
        right = path.is_file() and path.stat().st_size == file.size
        if not right or (file.sha256 and file_digest(path) != file.sha256):
            raise NotFetched(f"{file.name} did not arrive as its source described it.")
