"""Onboarding steps: read the first page, accept the consent text, start."""

import hashlib

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotation.errors import Refused
from annotation.models import Membership, Project


def version_of(consent: str) -> str:
    """Return the SHA-256 digest of a consent text, which the form sends back on agreement."""
    return hashlib.sha256(consent.encode()).hexdigest()


@transaction.atomic
def agree(membership: Membership, *, version: str) -> None:
    """Record the person's agreement to the consent text of this version.

    Agreeing twice changes nothing. Raises Refused if the text has changed since it was shown.
    """
    # Lock the text until the agreement is stored.
    project = Project.objects.select_for_update(no_key=True).get(pk=membership.project_id)
    if version != version_of(project.consent):
        raise Refused(_("The text was changed while you were reading it. Please read it again."))
    membership.project = project
    if project.consent and not membership.has_consented:
        _set(membership, "consented_at")


def leave_first_page(membership: Membership) -> None:
    """Record when the person first left the project's first page."""
    if membership.welcomed_at is None:
        _set(membership, "welcomed_at")


def _set(membership: Membership, moment: str) -> None:
    setattr(membership, moment, timezone.now())
    membership.save(update_fields=[moment])
