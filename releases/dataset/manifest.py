"""manifest.json: the metadata, counts and checksums of a release."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import Any

from releases.dataset.content import Content
from releases.dataset.counts import Passing
from releases.dataset.settings import ReleaseSettings

FORMAT = "pawsmith-release/1"
MANIFEST = "manifest.json"

Manifest = dict[str, Any]
Files = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class ReleaseFacts:
    """Metadata of a release that its rows do not contain.

    `created` is an ISO 8601 time in UTC, stored with the release so that each build repeats it;
    `models` holds the name and the revision or SHA-256 of each generator model; `rejected` counts
    the rewrites that correctors rejected; `licence` is that of the source text, preferably a
    Hugging Face identifier; `language` is a BCP 47 tag; `citation` is BibTeX or a sentence.
    """

    name: str
    version: str
    created: str
    software_version: str
    models: tuple[Mapping[str, str], ...] = ()
    rejected: int = 0
    language: str = "en"
    licence: str = ""
    description: str = ""
    guidelines: str = ""
    citation: str = ""


def manifest(
    facts: ReleaseFacts,
    settings: ReleaseSettings,
    *,
    counts: Mapping[str, Any],
    simulated: bool,
    files: Mapping[str, Mapping[str, Any]],
) -> Manifest:
    """Return the contents of manifest.json."""
    return {
        "format": FORMAT,
        "name": facts.name,
        "version": facts.version,
        "created": facts.created,
        "language": facts.language,
        "licence": facts.licence,
        "seed": settings.seed,
        "settings": settings.to_dict(),
        "models": [dict(model) for model in facts.models],
        "software_version": facts.software_version,
        "counts": dict(counts),
        "simulated": simulated,
        "files": dict(files),
    }


def release_counts(content: Content, passing: Passing, *, rejected: int) -> dict[str, Any]:
    """Return the counts of manifest.json, after all rows were streamed."""
    counts = passing.counts()
    reopened = {"reopened": content.reopened} if content.reopened else {}
    return {
        **counts,
        "corrections": counts["corrections"] | {"reject": rejected},
        "conflicts": content.conflicts,
        "unknown": content.unknown,
        "unlabeled_left_out": content.silver_left_out,
        **reopened,
    }


def described(folder: Path, rows: Mapping[str, int | None]) -> Files:
    """Return SHA-256, bytes and rows of each file of a folder; rows are None for documents."""
    return {
        path: {
            "sha256": sha256(folder / path),
            "bytes": (folder / path).stat().st_size,
            "rows": number,
        }
        for path, number in sorted(rows.items())
    }


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def as_json(value: Mapping[str, Any]) -> str:
    """Return a readable JSON document that is always formatted the same way."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
