"""Functions that releases add to pages and services of annotation; registered in `apps.py`."""

import uuid
from collections.abc import Collection
from typing import Any

from annotation.errors import Refused
from annotation.models import JudgingModel, Project
from releases.models import Release
from releases.views import tables


def overview(project: Project) -> dict[str, Any]:
    """Return the releases of a project for its overview."""
    return {"releases": [tables.listed(each) for each in project.releases.all()]}


def names(project: Project, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, str]:
    """Return the versions of the project's releases among `ids`, by public id."""
    found = Release.objects.filter(project=project, public_id__in=ids)
    return dict(found.values_list("public_id", "version"))


def refuse_removal(model: JudgingModel) -> None:
    """Raise Refused if a frozen release contains these model judgments.

    Release files are written again from the rows and must keep the same bytes.
    """
    held = Release.objects.filter(project=model.project_id, frozen_at__gte=model.created_at)
    if held.exclude(state=Release.State.WITHDRAWN).exists():
        raise Refused("A release holds what this model said: it stays as it is.")
