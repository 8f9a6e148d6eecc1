"""Two-factor authentication: its state, its reset and the encryption of its secrets.

The secrets that generate codes are encrypted in the database with a key derived from the secret key
of the installation, so a copy of the database alone cannot generate codes.
"""

import logging
from typing import TYPE_CHECKING, Any

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from cryptography.fernet import InvalidToken
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpRequest

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User
from common.sealed import cipher

if TYPE_CHECKING:
    from collections.abc import Sequence

METHOD = "mfa"
PURPOSE = b"pawsmith: secrets of second factors"

logger = logging.getLogger(__name__)


class Unreadable(Exception):
    """A secret was encrypted with a key that this installation does not have."""


class Adapter(DefaultMFAAdapter):
    """Adapter for allauth that encrypts secrets. Former secret keys still decrypt."""

    def encrypt(self, text: str) -> str:
        return cipher(PURPOSE).encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return cipher(PURPOSE).decrypt(encrypted_text).decode()
        except InvalidToken as error:
            logger.error("A second factor can't be read: a former secret key is missing.")
            raise Unreadable from error

    def get_totp_label(self, user: User) -> str:
        return user.get_username()


def is_set_up(user: User | AnonymousUser | Any) -> bool:
    return bool(is_mfa_enabled(user, [Authenticator.Type.TOTP]))


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether the user has an authenticator app and entered a code in this session."""
    if not request.user.is_authenticated:
        return False
    records: Sequence[dict[str, Any]] = get_authentication_records(request, request.user)
    return any(record["method"] == METHOD for record in records) and is_set_up(request.user)


def show(request: HttpRequest) -> None:
    """Record in the session that the user has entered a code."""
    record_authentication(request, request.user, METHOD, type=Authenticator.Type.TOTP)


@transaction.atomic
def forget(user: User, *, by: User | None) -> bool:
    """Reset two-factor authentication for a user who lost the app and the recovery codes.

    Returns whether it was set up. `by` is recorded; None means the command line. Raises ValueError
    for one's own account, where it is turned off on its page.
    """
    if by == user:
        raise ValueError("Turn off your own two-factor authentication on its page.")
    is_gone = remove(user)
    if is_gone:
        audit.record(Act.SECOND_FACTOR_FORGOTTEN, by=by, on=user)
    return is_gone


def remove(user: User) -> bool:
    number, _each = Authenticator.objects.filter(user=user).delete()
    return bool(number)
