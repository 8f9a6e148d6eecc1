"""Releases without a worker."""

from typing import Any

from annotation.models import Project
from releases.models import Release
from releases.services.frozen import freeze_draft, propose_release


def freeze_version(project: Project, *, version: str, **choices: Any) -> Release:
    """Create a version and freeze it, without files."""
    release = propose_release(project, version=version, **choices)
    freeze_draft(release)
    return release
