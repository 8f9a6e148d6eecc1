"""The published files and the archive of a release: their paths, checksums and state."""

import json
import re
from itertools import count
from pathlib import Path
from typing import Any

from annotation.models import Project
from releases.dataset.manifest import described
from releases.models import Release
from releases.selectors.releases import folder_of

# No version begins with a dot, so this name is free.
ARCHIVES = ".archives"


def archive_of(release: Release) -> Path:
    """Return the path of the archive of a release."""
    return folder_of(release).parent / ARCHIVES / f"{release.version}.tar.gz"


def slip_of(release: Release) -> Path:
    """Return the path of the JSON file with SHA-256 and bytes of the archive."""
    return archive_of(release).with_name(f"{release.version}.json")


def archive_entry(release: Release) -> dict[str, Any] | None:
    """Return SHA-256 and bytes of the archive as a manifest entry; None if there is none."""
    slip = slip_of(release)
    if release.state != Release.State.FROZEN or not slip.is_file():
        return None
    return dict(json.loads(slip.read_text()))


def is_whole(release: Release) -> bool:
    """Return whether all files of the release are in place, byte for byte as first written."""
    files = (release.manifest or {}).get("files", {})
    try:
        rows = {path: entry["rows"] for path, entry in files.items()}
        return bool(files) and described(folder_of(release), rows) == files
    except FileNotFoundError:
        return False


def next_version(project: Project) -> str:
    """Suggest the next version: the last version with its last number incremented."""
    last = project.releases.values_list("version", flat=True).first()
    if last is None:
        return "1.0"
    taken = set(project.releases.values_list("version", flat=True))
    head, number = re.fullmatch(r"(.*?)(\d*)", last, re.DOTALL).groups()  # type: ignore[union-attr]
    stem = head if number else f"{head}."
    following = (f"{stem}{next_number}" for next_number in count(int(number or 0) + 1))
    return next(version for version in following if version not in taken)
