"""Reads evaluations, and the files that they leave next to their releases."""

from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.db.models import Q, QuerySet

from common import clock
from evaluation import results
from evaluation.models import Evaluation
from releases.dataset.manifest import as_json
from releases.models import Release
from releases.selectors.releases import folder_of

State = Evaluation.State
OPEN = (State.WAITING, State.UNDER_WAY)


def waiting(now: datetime) -> QuerySet[Evaluation]:
    """Return evaluations that wait or whose worker died, earliest request first."""
    left = Q(clock.lapsed(now), state=State.UNDER_WAY)
    rows = Evaluation.objects.filter(Q(state=State.WAITING) | left)
    return rows.select_related("release__project").order_by("asked_at", "pk")


def of_release(release: Release) -> Mapping[str, Evaluation]:
    """Return the evaluations of a release by their experiment."""
    return {row.experiment: row for row in Evaluation.objects.filter(release=release)}


def evaluation_of(release: Release) -> results.Evaluation:
    """Return evaluation.json, with the stored results of experiments that its folder lacks.

    The folder also has what commands made. Raises Unusable if it is damaged, or of other files.
    """
    found = results.read(companion_of(release), identity_of(release))
    rows = of_release(release).items()
    stored = {name: row.results for name, row in rows if row.results is not None}
    return found | {"experiments": stored | found["experiments"]}


def identity_of(release: Release) -> dict[str, Any]:
    """Return what evaluation.json says of its release."""
    digest = sha256(as_json(release.manifest or {}).encode()).hexdigest()
    return {"name": release.project.name, "version": release.version, "sha256": digest}


def companion_of(release: Release) -> Path:
    """Return the folder of a release's evaluation, which need not exist."""
    return results.default_folder(folder_of(release), release.version)


def files_of(release: Release) -> list[str]:
    """Return the paths of the files in it: the tables first, predictions last."""
    folder = companion_of(release)
    found = [path.relative_to(folder) for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in sorted(found, key=lambda path: (len(path.parts), path))]
