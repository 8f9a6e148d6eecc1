"""The folder of this installation that stores models by name."""

import re
from pathlib import Path

from django.conf import settings

from generation.errors import MissingModel
from generation.model_record import ModelRecord, UnreadableRecord
from generation.nlp.adapters.digests import file_sizes, folder_digest

EMBEDDED = "embedded"

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


def folder_of(name: str) -> Path:
    """Return the folder of a model: "gpt2", or "organisation/model". Raises MissingModel."""
    folder = place_of(name)
    if not folder.is_dir():
        raise MissingModel(
            f"The model {name} is not here: there is no folder {folder}. "
            f"Get it: manage.py fetch_models {name}"
        )
    return folder


def identity_of(name: str) -> dict[str, str]:
    """Return name, revision and SHA-256 of a model's folder, as recorded when it was fetched.

    A folder without a record has its SHA-256 computed, and no revision. File sizes are compared
    with the record on each call, file contents only by fetch_models --check. Raises MissingModel.
    """
    folder = folder_of(name)
    try:
        record = ModelRecord.read(folder)
    except UnreadableRecord as error:
        raise MissingModel(f"{error} Put the model there again.") from error
    if record is None:
        return {"name": name, "sha256": folder_digest(folder)}
    if file_sizes(folder) != record.sizes:
        raise MissingModel(
            f"The files of the model {name} in {folder} are not those that were fetched. "
            f"See which: manage.py fetch_models --check {name}"
        )
    return record.identity


def place_of(name: str) -> Path:
    """Return the path of a model's folder, present or not. Raises MissingModel for a bad name."""
    if not _NAME.fullmatch(name):
        raise MissingModel(f"{name!r} is not the name of a model.")
    return models_folder() / name


def models_folder() -> Path:
    """Return the folder that contains one folder per model."""
    return Path(settings.DATA_DIR) / "models"
