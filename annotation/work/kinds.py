"""The kinds of work, by name: add a kind here."""

from collections.abc import Collection

from annotation.models import Project
from annotation.translations.kinds import Translate, Validate
from annotation.work.contract import Kind
from annotation.work.correct import Correct
from annotation.work.judge import Judge

KINDS: dict[str, Kind] = {kind.name: kind for kind in (Correct(), Judge(), Translate(), Validate())}

NAMES = list(KINDS)


def usual(project: Project) -> list[str]:
    """Return the names of the kinds that annotators are invited to do."""
    return [kind.name for kind in of_project(project) if kind.is_usual_in(project)]


def people_needed(project: Project) -> int:
    """Return how many people a project needs at least: no one does two kinds of work on an item."""
    return sum(KINDS[name].people_in(project) for name in usual(project))


def recruited(project: Project) -> list[str]:
    """Return the names of the kinds that recruited people are invited to do."""
    return [kind.name for kind in of_project(project) if kind.has_consensus] or list(project.kinds)


def of_project(project: Project) -> list[Kind]:
    """Return the kinds of work of a project, in the order in which they are done."""
    return [KINDS[name] for name in project.kinds]


def named(names: Collection[str]) -> list[Kind]:
    """Return the kinds of work with these names, in the order in which they are done."""
    return [kind for kind in KINDS.values() if kind.name in names]
