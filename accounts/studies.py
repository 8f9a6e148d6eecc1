"""What accounts has to know of the studies that its people are in, and must let them know.

Studies are known elsewhere: the setting STUDIES_OF_PEOPLE names the module.
"""

from importlib import import_module
from typing import Protocol, cast

from django.conf import settings

from accounts.models import User


class CannotLeave(Exception):
    """Something depends on this person. The text says what."""


class Studies(Protocol):
    """What the module offers."""

    def are_read_by(self, user: User) -> bool:
        """Whether the person may read anything over REST, so that a token is of use to them."""

    def let_go(self, user: User) -> None:
        """Leave no work with a person, and nothing personal; what they answered stays.

        Within the transaction of the caller. Raises CannotLeave.
        """


def studies() -> Studies:
    """The module that knows them."""
    return cast(Studies, import_module(settings.STUDIES_OF_PEOPLE))
