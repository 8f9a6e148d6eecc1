"""What a source of models offers: which files, at which revision, under which licence."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Protocol

from generation.errors import GenerationError
from generation.nlp.adapters.model_files import file_digest

SAFE_WEIGHTS = re.compile(r"model(-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json")
PICKLED_WEIGHTS = re.compile(r"pytorch_model(-\d+-of-\d+)?\.bin|pytorch_model\.bin\.index\.json")

_TEXT = re.compile(r"LICEN[CS]E.*|README\.md", re.IGNORECASE)
_TOKENIZER = re.compile(r".+\.(spm|model)|(merges|vocab)\.txt")
_OTHER_INDEX = re.compile(r".*\.index\.json")
# Code from a model is never run, and pickles may contain code.
_LEFT_OUT_OF_SPACY = (".py", ".pyc", ".pkl", ".pickle", ".whl")


class Kind(StrEnum):
    """The library that loads a model."""

    SPACY = "spacy"
    TRANSFORMERS = "transformers"


def kind_of(names: Collection[str]) -> Kind | None:
    """Return the library that can load a folder with these files, or None."""
    if {"meta.json", "config.cfg"} <= set(names):
        return Kind.SPACY
    return Kind.TRANSFORMERS if "config.json" in names else None


def needed(names: Collection[str], kind: Kind) -> list[str]:
    """Return the files to fetch: a spaCy pipeline without code, or one set of weights and its data.

    Weights are safetensors or, if there are none, pickled weights, which must then be converted.
    For transformers without weights the list is empty.
    """
    if kind is Kind.SPACY:
        return sorted(name for name in names if not _is_left_out(name))
    weights = _matching(names, SAFE_WEIGHTS) or _matching(names, PICKLED_WEIGHTS)
    return sorted([*weights, *filter(_describes, names)]) if weights else []


def pickled(names: Collection[str]) -> list[str]:
    return _matching(names, PICKLED_WEIGHTS)


def _matching(names: Collection[str], pattern: re.Pattern[str]) -> list[str]:
    return sorted(name for name in names if pattern.fullmatch(name))


def _describes(name: str) -> bool:
    """Whether a top-level file holds configuration, tokenizer or licence."""
    if "/" in name or _OTHER_INDEX.fullmatch(name):
        return False
    return bool(name.endswith(".json") or _TOKENIZER.fullmatch(name) or _TEXT.fullmatch(name))


def _is_left_out(name: str) -> bool:
    path = PurePosixPath(name)
    hidden = any(part.startswith(".") for part in path.parts)
    return hidden or path.suffix in _LEFT_OUT_OF_SPACY


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
