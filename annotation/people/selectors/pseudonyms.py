"""What people are called where their names must not stand."""

from django.utils.crypto import salted_hmac

from annotation.models import Project

SALT = "annotation.people.selectors.pseudonyms"


def within(project: Project, annotator_id: int) -> str:
    """The person's name in what is read of a project.

    It is the same in every reply, another one in every project, and says nothing without the secret
    key of the installation. Releases draw names of their own (annotation.models.Pseudonym).
    """
    return "annotator-" + salted_hmac(SALT, f"{project.public_id} {annotator_id}").hexdigest()[:12]
