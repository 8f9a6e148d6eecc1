"""Files of models: which are needed, their SHA-256, and conversion of weights to safetensors."""

import hashlib
import re
import tempfile
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

RECORD = "pawsmith.json"  # describes the source of the folder; not part of the model

NEEDED = ("torch", "transformers", "safetensors")
NEEDED_FOR_GGUF = (*NEEDED, "gguf", "accelerate")


_SAFE_WEIGHTS = re.compile(r"model(-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json")
_PICKLED_WEIGHTS = re.compile(r"pytorch_model(-\d+-of-\d+)?\.bin|pytorch_model\.bin\.index\.json")

_TEXT = re.compile(r"LICEN[CS]E.*|README\.md", re.IGNORECASE)
_TOKENIZER = re.compile(r".+\.(spm|model)|(merges|vocab)\.txt")
_OTHER_INDEX = re.compile(r".*\.index\.json")
# Code from a model is never run, and pickles may contain code.
_LEFT_OUT_OF_SPACY = (".py", ".pyc", ".pkl", ".pickle", ".whl")


class Kind(StrEnum):
    SPACY = "spacy"
    TRANSFORMERS = "transformers"
    BERGAMOT = "bergamot"


def kind_of(names: Collection[str]) -> Kind | None:
    if {"meta.json", "config.cfg"} <= set(names):
        return Kind.SPACY
    if "config.intgemm8bitalpha.yml" in names:
        return Kind.BERGAMOT
    return Kind.TRANSFORMERS if "config.json" in names else None


def files_to_fetch(names: Collection[str], kind: Kind) -> list[str]:
    """Return the files to fetch: a pipeline without code, or one set of weights and its data."""
    if kind is Kind.SPACY:
        return sorted(name for name in names if not _is_left_out(name))
    weights = _names_matching(names, _SAFE_WEIGHTS) or _names_matching(names, _PICKLED_WEIGHTS)
    return sorted([*weights, *filter(_describes, names)]) if weights else []


def is_loadable(names: Collection[str]) -> bool:
    """Return whether a folder with these files has what a worker loads: never pickled weights."""
    kind = kind_of(names)
    if kind is Kind.TRANSFORMERS:
        return any(name.endswith(".safetensors") for name in names)
    return kind is not None


def pickled(names: Collection[str]) -> list[str]:
    return _names_matching(names, _PICKLED_WEIGHTS)


def _names_matching(names: Collection[str], pattern: re.Pattern[str]) -> list[str]:
    return sorted(name for name in names if pattern.fullmatch(name))


def _describes(name: str) -> bool:
    if "/" in name or _OTHER_INDEX.fullmatch(name):
        return False
    return bool(name.endswith(".json") or _TOKENIZER.fullmatch(name) or _TEXT.fullmatch(name))


def _is_left_out(name: str) -> bool:
    path = PurePosixPath(name)
    hidden = any(part.startswith(".") for part in path.parts)
    return hidden or path.suffix in _LEFT_OUT_OF_SPACY


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
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _names(folder: Path) -> list[str]:
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return sorted(name for name in names if name != RECORD)


def missing_packages(needed: Sequence[str]) -> list[str]:
    return [name for name in needed if find_spec(name) is None]


def convert(folder: Path) -> None:
    """Add the weights of a folder's model as safetensors; keep the pickled files.

    Unpickling may run arbitrary code. torch's restricted reader (weights_only) accepts only tensors
    and plain values, and is used once, when a model is fetched; workers read only safetensors
    (https://docs.pytorch.org/docs/stable/generated/torch.load.html).

    The model is loaded as workers will load it, so tied weights are stored once. Raises OSError,
    ValueError or RuntimeError if the weights cannot be read, KeyError if they do not fit the model,
    and pickle.UnpicklingError if they contain more than tensors.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForSeq2SeqLM

    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    auto = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
    model = auto.from_pretrained(
        folder, local_files_only=True, use_safetensors=False, weights_only=True
    )
    with tempfile.TemporaryDirectory(dir=folder) as place:
        _save(model, place)
        for path in Path(place).glob("*.safetensors*"):
            path.rename(folder / path.name)


def unpack_gguf(file: Path, folder: Path) -> None:
    """Write the model and the tokeniser of a GGUF file into a folder.

    The weights become safetensors in float16, which holds the packed values nearly as they are.
    Raises OSError if a file cannot be read or written, KeyError, NotImplementedError, RuntimeError
    or ValueError if the file is no language model that transformers can read.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

    packed = {"gguf_file": file.name, "local_files_only": True}
    tokenizer = AutoTokenizer.from_pretrained(file.parent, **packed)
    unpacking: Any = GgufConfig(dequantize=True)
    model = AutoModelForCausalLM.from_pretrained(
        file.parent, dtype=torch.float16, quantization_config=unpacking, **packed
    )
    tokenizer.save_pretrained(folder)
    _save(model, folder)


def _save(model: Any, folder: Path | str) -> None:
    """Save a model. Raises OSError, on a full disk too, which safetensors reports otherwise."""
    from safetensors import SafetensorError

    try:
        model.save_pretrained(folder)
    except SafetensorError as error:
        raise OSError(f"The weights cannot be written: {error}") from error
