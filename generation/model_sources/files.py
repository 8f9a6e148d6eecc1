"""Selects the files of a source that make up a model."""

import re
from collections.abc import Collection
from enum import StrEnum
from pathlib import PurePosixPath

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
    """Return the files with pickled weights."""
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
