"""What annotators accepted as it is, next to the estimate: a part of the page of runs."""

from typing import Any

from annotation.models import Project
from annotation.pairs import differences
from annotation.runs.selectors import accepted
from annotation.runs.services import swaps_of


def context(project: Project) -> dict[str, Any]:
    """Return the figures of each kind of change, and the kinds that the next run can leave out.

    Empty below the number of corrections from which the estimate can be corrected.
    """
    figures = accepted.of_project(project)
    newest = swaps_of(project).filter(preview=False).order_by("-pk").first()
    if figures.recalibration is None or newest is None:
        return {}
    return {
        "total": figures.total,
        "kinds": [
            (differences.kind_name(kind), corrected) for kind, corrected in figures.kinds.items()
        ],
        "newest": newest,
        "worse": [
            (kind, differences.kind_name(kind), figures.kinds[kind])
            for kind in figures.worse
            if kind in newest.settings.get("movable", ())
        ],
    }
