"""Invitations to a project, their states and the number of people who joined."""

import hashlib
from dataclasses import dataclass
from enum import Enum

from django.db.models import Count
from django.utils import timezone

from annotation.models import Invitation, Project


class State(Enum):
    """Whether an invitation admits people, and if not, why."""

    OPEN = "open"
    FULL = "full"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Listed:
    """An invitation as managers see it."""

    invitation: Invitation
    joined: int
    state: State


def digest_of(secret: str) -> str:
    """Return the SHA-256 digest of a secret, in hexadecimal digits, as it is stored."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def find(secret: str) -> Invitation:
    """Return the invitation of a link in any state. Raises Invitation.DoesNotExist."""
    return Invitation.objects.select_related("project").get(digest=digest_of(secret))


def state_of(invitation: Invitation) -> State:
    return _state(invitation, invitation.memberships.count())


def of_project(project: Project) -> list[Listed]:
    """Return all invitations of a project with the number who joined, newest first."""
    found = project.invitations.select_related("created_by").order_by("-pk")
    counted = found.annotate(joined=Count("memberships"))
    return [Listed(each, each.joined, _state(each, each.joined)) for each in counted]


def _state(invitation: Invitation, joined: int) -> State:
    if invitation.revoked_at is not None:
        return State.REVOKED
    if invitation.expires_at <= timezone.now():
        return State.EXPIRED
    return State.FULL if joined >= invitation.most_people else State.OPEN
