"""The interface between accounts and the studies of their users.

The setting STUDIES_OF_PEOPLE names the module that implements it.
"""

from importlib import import_module
from typing import Protocol, cast

from django.conf import settings

from accounts.models import User


class CannotLeave(Exception):
    """Something depends on this person. The text says what."""


class Studies(Protocol):
    """The interface of the module."""

    def are_read_by(self, user: User) -> bool:
        """Return whether the user may read anything over REST, and so has a use for tokens."""

    def let_go(self, user: User) -> None:
        """Remove the user from all work and clear personal notes; answers stay.

        Runs within the transaction of the caller. Raises CannotLeave.
        """


def studies() -> Studies:
    return cast(Studies, import_module(settings.STUDIES_OF_PEOPLE))
