"""How the files of a published set were read, so that they can be read in the same way again."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from annotation.imports.tables import Layout
from releases.dataset.published.columns import NONE, ROLES
from releases.dataset.published.layout import SetFile
from releases.dataset.published.settings import Choices, PublishedSettings, UnusableSet


def files_at(paths: Mapping[str, Path], files: Iterable[Mapping[str, Any]]) -> list[SetFile]:
    """Return files, of which name, split and layout are known, where they lie by their names.

    Raises UnusableSet if one is missing.
    """
    files = list(files)
    for file in files:
        if file["name"] not in paths:
            raise UnusableSet(
                f"{file['name']} is missing. Name the folder or archive with all files that the "
                "release was made of."
            )
    return [
        SetFile(
            file["name"],
            paths[file["name"]],
            file["split"],
            Layout.from_dict(dict(file["layout"])),
        )
        for file in files
    ]


def choices_of(settings: PublishedSettings) -> Choices:
    """Return the choices that give the same settings again, whatever was inferred."""
    return Choices(
        config=settings.config,
        columns=dict.fromkeys(ROLES, NONE) | dict(settings.columns),
        labels=settings.labels,
        paraphrase_from=settings.paraphrase_from,
        votes=settings.votes,
        language=settings.language,
        draw=settings.draw,
        seed=settings.seed,
        accepts_refused=True,
        is_synthetic=settings.is_synthetic,
    )
