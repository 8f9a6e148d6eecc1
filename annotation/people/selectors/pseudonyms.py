"""Pseudonyms, used wherever user names must not appear."""

from django.utils.crypto import salted_hmac

from annotation.models import Project

SALT = "annotation.people.selectors.pseudonyms"


def within(project: Project, annotator_id: int) -> str:
    """Return the pseudonym of an annotator in a project.

    It is stable within a project, differs between projects, and reveals nothing without the secret
    key of the installation. Releases draw separate names (annotation.models.Pseudonym).
    """
    return "annotator-" + salted_hmac(SALT, f"{project.public_id} {annotator_id}").hexdigest()[:12]
