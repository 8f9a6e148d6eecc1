"""Changes of a member: by managers, role and permissions; by themselves, the steps to the work."""

import hashlib
from collections.abc import Collection

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Membership, Project, Role
from annotation.projects.services import projects


@transaction.atomic
def change(
    membership: Membership, *, role: str, kinds: Collection[str], by: User | None = None
) -> None:
    """Change a member's role and the kinds of work that they may do. Their answers stay.

    Raises Refused if the project would be left without a manager who can sign in.
    """
    # Lock the project, so that of two managers who step down concurrently one stays.
    Project.objects.select_for_update(no_key=True).get(pk=membership.project_id)
    membership.refresh_from_db(fields=["role"])
    require_manager(membership, role)
    steps = {"role": [membership.role, role], "kinds": [membership.kinds, sorted(kinds)]}
    membership.role = role
    membership.save(update_fields=["role"])
    projects.allow(membership, kinds)
    audit.record(
        Act.MEMBER_CHANGED, by=by, on=membership.user, project=membership.project, values=steps
    )


def allowed(role: str, kinds: Collection[str], *, despite_votes: bool) -> list[str]:
    """Return the kinds of work that a member of this role gets, of those that were chosen.

    Managers and researchers may see votes, so they get none unless a manager allows it.
    """
    return list(kinds) if role == Role.ANNOTATOR or despite_votes else []


def require_manager(membership: Membership, role: str) -> None:
    """Raises Refused if the project would have no manager once the member has this role."""
    managers = Membership.objects.filter(
        project=membership.project_id, role=Role.MANAGER, user__is_active=True
    )
    others = managers.exclude(pk=membership.pk)
    if membership.role == Role.MANAGER != role and not others.exists():
        raise Refused(_("A project needs at least one manager. Make someone else a manager first."))


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
