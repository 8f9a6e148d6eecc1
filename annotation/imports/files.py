"""Where the files of imports are: in a folder that no web server shows, one for each import."""

import shutil
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings

from annotation.models import Import


def folder_of(row: Import) -> Path:
    return Path(settings.IMPORTS_DIR) / str(row.project.public_id) / str(row.public_id)


def data_of(row: Import) -> Path:
    """Return the path of the uploaded file, which is deleted once it is imported."""
    return folder_of(row) / "data"


def beginning_of(row: Import) -> Path:
    """Return the path of the first rows of an uploaded file, as `previews` writes them."""
    return folder_of(row) / "beginning"


def refused_of(row: Import) -> Path:
    return folder_of(row) / "refused.csv"


def write(row: Import, chunks: Iterable[bytes]) -> None:
    path = data_of(row)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.writelines(chunks)


def remove_data(row: Import) -> None:
    for path in (data_of(row), beginning_of(row)):
        path.unlink(missing_ok=True)


def remove(row: Import) -> None:
    shutil.rmtree(folder_of(row), ignore_errors=True)
