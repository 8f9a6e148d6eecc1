"""Freezes rows as the lines of their file, so that a release can be written again as it was."""

from collections.abc import Mapping, Sequence
from typing import Any

from common import bulk
from releases.dataset.files import LineFile
from releases.models import FrozenLine, Release

PEOPLE = ("translator", "validator")


def store(release: Release, rows: Mapping[LineFile[Any], Sequence[Any]]) -> None:
    """Store the rows of each file, in which keys of people become their pseudonyms."""
    found = release.pseudonyms.values_list("annotator_id", "name")
    names = {str(key): name for key, name in found}
    lines = (
        (file.path, position, file.lines([_named(row, names)]).removesuffix("\n"))
        for file, some in rows.items()
        for position, row in enumerate(some, start=1)
    )
    fields = ("file", "position", "text")
    bulk.insert(FrozenLine, lines, fields=fields, release_id=release.pk)


def _named(row: Any, names: Mapping[str, str]) -> Any:
    people = {name: getattr(row, name, None) for name in PEOPLE}
    return row._replace(**{name: names[key] for name, key in people.items() if key})
