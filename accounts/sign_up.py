"""Who may make an account unasked: whoever came with an invitation, which stands in the session.

What an invitation is, is known elsewhere: the setting SIGN_UP_INVITATIONS names the module.
"""

from importlib import import_module
from typing import Protocol, cast

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase

from accounts.models import User

KEY = "invitation"


class Closed(Exception):
    """The invitation lets nobody in, or nobody more. The text says why, to whoever holds it."""


class Invitations(Protocol):
    """What the module offers; an invitation is named by its public id."""

    def is_open(self, invitation: str) -> bool:
        """Whether somebody new may still come in by it."""

    def join(self, invitation: str, user: User) -> object:
        """Let the user in, within the transaction of the caller. Raises Closed."""


def remember(session: SessionBase, invitation: str) -> None:
    """The holder of the session has shown a link of this invitation."""
    session[KEY] = invitation


def remembered(session: SessionBase) -> str | None:
    """The invitation that the holder of the session came with."""
    return session.get(KEY)


def is_open(session: SessionBase) -> bool:
    """Whether the holder of the session may make an account."""
    invitation = remembered(session)
    return invitation is not None and _invitations().is_open(invitation)


def join(session: SessionBase, user: User) -> None:
    """Let a new account in by the invitation of its session. Raises Closed."""
    invitation = remembered(session)
    if invitation is None:
        raise Closed
    _invitations().join(invitation, user)


def _invitations() -> Invitations:
    return cast(Invitations, import_module(settings.SIGN_UP_INVITATIONS))
