"""Whether corpora, runs and pairs may be added to a project: its pairs may be complete."""

from django.utils.translation import gettext as _

from annotation import registry
from annotation.errors import Refused
from annotation.models import Project


def refusal(project: Project) -> str:
    """Return why nothing may be added; "" if it may."""
    if "judge" not in project.kinds:
        return _(
            "This project translates the sentences of a release. Corpora, runs and pairs can’t be "
            "added: use another project for them."
        )
    return next(filter(None, (why(project) for why in registry.why_complete)), "")


def check(project: Project) -> None:
    """Raises Refused if nothing may be added."""
    if reason := refusal(project):
        raise Refused(reason)


def check_judged(project: Project) -> None:
    """Raises Refused if the project judges no pairs, so that pairs to test people have no use."""
    if "judge" not in project.kinds:
        raise Refused(
            _(
                "Nobody judges pairs in this project, so it takes no gold pairs, qualification "
                "pairs and model judgments."
            )
        )
