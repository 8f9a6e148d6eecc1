"""Invitation links. Each link is shown once; only its digest is stored."""

import secrets
from collections.abc import Collection
from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts import audit, studies
from accounts.audited_acts import Act
from accounts.models import User
from annotation.errors import AnnotationError
from annotation.models import Invitation, Membership, Project, Role
from annotation.people.selectors import invitations
from annotation.people.selectors.invitations import State
from annotation.projects.services import projects

SECRET_BYTES = 32
# A link holder may learn the state of the invitation, but nothing about its project.
NO_WORK = _("Choose work for annotators: without it, they can’t open the project.")
WORDS: dict[State, str | Promise] = {
    State.FULL: _("The maximum number of people has already joined by this link."),
    State.EXPIRED: _("This invitation has expired."),
    State.REVOKED: _("This invitation has been revoked."),
    State.REMOVED: _(
        "You were removed from this project, so its invitation links no longer work for you."
    ),
}


class Closed(AnnotationError, studies.Closed):
    """The invitation is full, expired or revoked."""

    def __init__(self, state: State) -> None:
        super().__init__(str(WORDS[state]))
        self.state = state


@transaction.atomic
def create(
    project: Project,
    *,
    by: User,
    expires_at: datetime,
    role: str = Role.ANNOTATOR,
    most_people: int = 1,
    kinds: Collection[str] | None = None,
    note: str = "",
) -> tuple[Invitation, str]:
    """Create an invitation. Returns it with its secret (256 random bits), which is not stored.

    Raises ValidationError if it has already expired, admits no one, or has nothing to do for
    annotators.
    """
    if expires_at <= timezone.now():
        raise ValidationError({"expires_at": "Choose a time in the future."})
    kinds = projects.usual_kinds(project, role) if kinds is None else list(kinds)
    if role == Role.ANNOTATOR and not {*kinds} & {*project.kinds}:
        raise ValidationError({"kinds": str(NO_WORK)})
    secret = secrets.token_urlsafe(SECRET_BYTES)
    invitation = Invitation(
        project=project,
        digest=invitations.digest_of(secret),
        created_by=by,
        expires_at=expires_at,
        role=role,
        most_people=most_people,
        kinds=kinds,
        note=note,
    )
    invitation.full_clean()
    invitation.save()
    audit.record(
        Act.INVITATION_MADE,
        by=by,
        on=invitation,
        role=role,
        most_people=most_people,
        until=expires_at.date(),
        **projects.despite_votes(role, invitation.kinds),
    )
    return invitation, secret


@transaction.atomic
def revoke(invitation: Invitation, *, by: User | None = None) -> None:
    """Stop an invitation from admitting more people; members stay. Revoking twice is harmless."""
    standing = Invitation.objects.filter(pk=invitation.pk, revoked_at=None)
    if standing.update(revoked_at=timezone.now()):
        audit.record(Act.INVITATION_ENDED, by=by, on=invitation)


def is_open(invitation: str) -> bool:
    row = Invitation.objects.filter(public_id=invitation).first()
    return row is not None and invitations.state_of(row) is State.OPEN


@transaction.atomic
def join(invitation: str, user: User) -> Membership:
    """Return the user's membership, created if needed, for who has presented the secret.

    Existing members keep their role, whatever the invitation offers: only managers change roles.
    Raises Closed.
    """
    # The lock keeps concurrent joins from exceeding the limit.
    locked = Invitation.objects.select_for_update().get(public_id=invitation)
    memberships = Membership.objects.filter(project=locked.project_id, user=user)
    if membership := memberships.select_related("project", "user").first():
        if membership.role == Role.REMOVED:
            raise Closed(State.REMOVED)
        return membership
    if (state := invitations.state_of(locked)) is not State.OPEN:
        raise Closed(state)
    # A user may accept two invitations to the project concurrently.
    membership, is_new = Membership.objects.get_or_create(
        project=locked.project, user=user, defaults={"role": locked.role, "invitation": locked}
    )
    if is_new:
        projects.allow(membership, locked.kinds)
    return membership
