"""Where models lie that did not come with Pawsmith: a folder of the installation, by name."""

import re
from pathlib import Path

from django.conf import settings

from generation.errors import MissingModel

EMBEDDED = "embedded"

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")


def folder_of(name: str) -> Path:
    """The folder of a model: "gpt2", or "organisation/model". Raises MissingModel."""
    if not _NAME.fullmatch(name):
        raise MissingModel(f"{name!r} is not the name of a model.")
    folder = models_folder() / name
    if not folder.is_dir():
        raise MissingModel(f"The model {name} is not here. Get it: manage.py fetch_models {name}")
    return folder


def models_folder() -> Path:
    """The folder that holds one folder for each model."""
    return Path(settings.DATA_DIR) / "models"
