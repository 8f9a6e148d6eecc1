"""The steps of a newcomer: reading, agreeing, beginning."""

import hashlib

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Refused
from annotation.models import Membership, Project


def version_of(consent: str) -> str:
    """What tells one consent text from another: a form brings it back with the agreement."""
    return hashlib.sha256(consent.encode()).hexdigest()


@transaction.atomic
def agree(membership: Membership, *, version: str) -> None:
    """Agree to the consent text of the project, as the person has read it.

    Raises Refused when the text has been changed since. To agree again changes nothing.
    """
    # The text stands still until the agreement is stored.
    project = Project.objects.select_for_update(no_key=True).get(pk=membership.project_id)
    if version != version_of(project.consent):
        raise Refused(_("The text was changed while you were reading it. Please read it again."))
    membership.project = project
    if project.consent and not membership.has_consented:
        _set(membership, "consented_at")


def leave_first_page(membership: Membership) -> None:
    """The person has seen the project's first page and goes on; when, is kept of the first time."""
    if membership.welcomed_at is None:
        _set(membership, "welcomed_at")


def _set(membership: Membership, moment: str) -> None:
    setattr(membership, moment, timezone.now())
    membership.save(update_fields=[moment])
