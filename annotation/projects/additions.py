"""Whether corpora, runs and pairs may be added to a project: its pairs may be complete."""

from django.utils.translation import gettext as _

from annotation import registry
from annotation.errors import Refused
from annotation.models import Project


def refusal_of_runs(project: Project) -> str:
    """Return why no run may be added; "" if it may."""
    if reason := _why_complete(project):
        return reason
    if not (project.judges or project.translates):
        return _(
            "No one judges pairs or translates in this project, so it takes no runs. Use another "
            "project for them."
        )
    return ""


def refusal(project: Project) -> str:
    """Return why no corpora and pairs may be added; "" if they may."""
    if reason := _why_complete(project):
        return reason
    if not project.judges:
        return _(
            "No one judges pairs in this project, so it takes no corpora and pairs. Use another "
            "project for them."
        )
    return ""


def _why_complete(project: Project) -> str:
    reasons = (reason for reason, rows in registry.why_complete if rows(project).exists())
    return str(next(reasons, ""))


def check_runs(project: Project) -> None:
    """Raises Refused if no run may be added."""
    if reason := refusal_of_runs(project):
        raise Refused(reason)


def check(project: Project) -> None:
    """Raises Refused if no corpora and pairs may be added."""
    if reason := refusal(project):
        raise Refused(reason)


def check_judged(project: Project) -> None:
    """Raises Refused if the project judges no pairs, so that pairs to test people have no use."""
    if not project.judges:
        raise Refused(
            _(
                "No one judges pairs in this project, so it takes no gold pairs, qualification "
                "pairs and model judgments."
            )
        )
