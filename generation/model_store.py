"""Models of this installation: one folder each, with a record of its identity and its source."""

import json
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings

from common.program import PROGRAM
from generation.errors import MissingModel
from generation.nlp.adapters.model_files import (
    RECORD,
    digest_of,
    file_digests,
    file_sizes,
    folder_digest,
    is_loadable,
)

EMBEDDED = "embedded"
# No part is too long for the name of a folder.
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,99}(/[A-Za-z0-9][\w.-]{0,99})?", re.ASCII)


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What is known about a model's folder, whose path within the models folder is `name`.

    `files` has the SHA-256 and `sizes` the bytes of each file by relative path; `converted` has the
    SHA-256 of files that were converted here and then deleted.
    """

    name: str
    kind: str
    revision: str
    source: str
    licence: str
    files: dict[str, str]
    sizes: dict[str, int]
    converted: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of_folder(cls, folder: Path, **facts: Any) -> "ModelRecord":
        return cls(files=file_digests(folder), sizes=file_sizes(folder), **facts)

    @classmethod
    def read(cls, folder: Path) -> "ModelRecord | None":
        """Return the record of a folder, or None if it has none. Raises MissingModel."""
        path = folder / RECORD
        if not path.exists():
            return None
        try:
            facts = json.loads(path.read_bytes())
            facts.pop("sha256")
            return cls(**facts)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise MissingModel(
                f"The record {path} cannot be read ({error}). Put the model there again."
            ) from error

    @property
    def sha256(self) -> str:
        """SHA-256 of the whole folder, without the record itself."""
        return digest_of(self.files)

    @property
    def identity(self) -> dict[str, str]:
        parts = {"name": self.name, "revision": self.revision, "sha256": self.sha256}
        return {key: value for key, value in parts.items() if value}

    def write(self, folder: Path) -> None:
        text = json.dumps({**asdict(self), "sha256": self.sha256}, indent=1, ensure_ascii=False)
        (folder / RECORD).write_text(text + "\n", encoding="utf-8")

    def changes(self, folder: Path) -> list[str]:
        return sorted({name for name, _ in file_digests(folder).items() ^ self.files.items()})


def folder_of(name: str) -> Path:
    """Return the folder of a model: "gpt2", or "organisation/model". Raises MissingModel."""
    folder = place_of(name)
    if not folder.is_dir():
        raise MissingModel(
            f"The model {name} is not here: the data folder has no {folder}. "
            f"Get it: {PROGRAM} fetch_models {name}"
        )
    return folder


def identity_of(name: str) -> dict[str, str]:
    """Return name, revision and SHA-256 of a model's folder, as recorded when it was fetched.

    File contents are compared only by fetch_models --check: that takes too long. Raises
    MissingModel, also for a folder without a record that has no weights that can be loaded.
    """
    folder = folder_of(name)
    if (record := ModelRecord.read(folder)) is None:
        if not is_loadable(file_sizes(folder)):
            raise MissingModel(
                f"The folder {folder} has no model that can be loaded: neither a pipeline of spaCy "
                "nor config.json with weights in model.safetensors. Move it away and fetch the "
                f"model: {PROGRAM} fetch_models {name}"
            )
        return {"name": name, "sha256": folder_digest(folder)}
    if file_sizes(folder) != record.sizes:
        raise MissingModel(
            f"The files of the model {name} in {folder} are not those that were fetched. "
            f"See which: {PROGRAM} fetch_models --check {name}"
        )
    return record.identity


def place_of(name: str) -> Path:
    """Return the path of a model's folder, present or not. Raises MissingModel for a bad name."""
    if not _NAME.fullmatch(name):
        raise MissingModel(f"{name!r} is not the name of a model.")
    return models_folder() / name


def models_folder() -> Path:
    return Path(settings.DATA_DIR) / "models"


def names_here() -> list[str]:
    """Return the sorted names of all models with a folder: "gpt2", or "organisation/model"."""
    tops = [path for path in models_folder().glob("[!.]*") if path.is_dir()]
    return sorted(name for top in tops for name in _names_in(top))


def _names_in(top: Path) -> list[str]:
    """Return the models in a folder: itself if it has files, else its subfolders."""
    if any(path.is_file() for path in top.iterdir()):
        return [top.name]
    return [f"{top.name}/{path.name}" for path in top.iterdir() if path.is_dir()]
