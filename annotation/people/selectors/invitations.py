"""Invitations to a project, their states and the number of people who joined."""

import hashlib
from enum import Enum
from typing import Any

from django.db.models import Count
from django.utils import timezone

from annotation.models import Invitation, Project, Recruitment


class State(Enum):
    """Whether an invitation admits people, and if not, why."""

    OPEN = "open"
    FULL = "full"
    EXPIRED = "expired"
    REVOKED = "revoked"
    REMOVED = "removed"


def digest_of(secret: str) -> str:
    """Return the SHA-256 digest of a secret, in hexadecimal digits, as it is stored."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def find(secret: str) -> Invitation:
    """Return the invitation of a link in any state. Raises Invitation.DoesNotExist."""
    return Invitation.objects.select_related("project").get(digest=digest_of(secret))


def of_project(project: Project) -> list[tuple[Invitation, State]]:
    """Return all invitations of a project with `joined`, the number who joined, newest first."""
    invitations = project.invitations.select_related("created_by").order_by("-pk")
    rows = invitations.annotate(joined=Count("memberships"))
    return [(invitation, state_of(invitation, joined=invitation.joined)) for invitation in rows]


def state_of(link: Invitation | Recruitment, *, joined: int | None = None) -> State:
    """Return the state; `joined` saves the query for the number of people who joined."""
    if link.revoked_at is not None:
        return State.REVOKED
    if link.expires_at <= timezone.now():
        return State.EXPIRED
    people: Any = link.participants if isinstance(link, Recruitment) else link.memberships
    number = people.count() if joined is None else joined
    return State.FULL if number >= link.most_people else State.OPEN
