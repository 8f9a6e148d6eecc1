"""Sign-up by invitation; the session stores which invitation was opened.

The setting SIGN_UP_INVITATIONS names the module that manages invitations.
"""

from importlib import import_module
from typing import Protocol, cast

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase

from accounts.models import User

KEY = "invitation"


class Closed(Exception):
    """The invitation is invalid or has no places left. The text tells its holder why."""


class Invitations(Protocol):
    """The interface of the module; an invitation is identified by its public id."""

    def is_open(self, invitation: str) -> bool:
        """Return whether another person may join with the invitation."""

    def join(self, invitation: str, user: User) -> object:
        """Add the user, within the transaction of the caller. Raises Closed."""


def remember(session: SessionBase, invitation: str) -> None:
    session[KEY] = invitation


def remembered(session: SessionBase) -> str | None:
    return session.get(KEY)


def is_open(session: SessionBase) -> bool:
    invitation = remembered(session)
    return invitation is not None and _invitations().is_open(invitation)


def join(session: SessionBase, user: User) -> None:
    """Add a new user by the invitation of the session. Raises Closed."""
    invitation = remembered(session)
    if invitation is None:
        raise Closed
    _invitations().join(invitation, user)


def _invitations() -> Invitations:
    return cast(Invitations, import_module(settings.SIGN_UP_INVITATIONS))
