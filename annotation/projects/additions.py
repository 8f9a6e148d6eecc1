"""Whether corpora, runs and pairs may be added to a project: its pairs may be complete."""

from annotation import registry
from annotation.errors import Refused
from annotation.models import Project


def refusal(project: Project) -> str:
    """Return why nothing may be added; "" if it may."""
    return next(filter(None, (why(project) for why in registry.why_complete)), "")


def check(project: Project) -> None:
    """Raises Refused if nothing may be added."""
    if reason := refusal(project):
        raise Refused(reason)
