"""Codes from an app beside the password: whether somebody has them, shows them, or has lost them.

The secrets that codes are made of are encrypted in the database, by a key that is derived from the
secret key of the installation: a copy of the database alone makes no codes.
"""

import base64
import logging
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from allauth.account.internal.flows.login import get_authentication_records, record_authentication
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpRequest

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User

if TYPE_CHECKING:
    from collections.abc import Sequence

METHOD = "mfa"
PURPOSE = b"pawsmith: secrets of second factors"

logger = logging.getLogger(__name__)


class Unreadable(Exception):
    """A secret was encrypted under a key that is not among those of this installation."""


class Adapter(DefaultMFAAdapter):
    """allauth's, which encrypts. Former secret keys still decrypt."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Raises Unreadable."""
        try:
            return _cipher().decrypt(encrypted_text).decode()
        except InvalidToken as error:
            logger.error("A second factor cannot be read: a former secret key is missing.")
            raise Unreadable from error

    def get_totp_label(self, user: User) -> str:
        return user.get_username()


def is_set_up(user: User | AnonymousUser | Any) -> bool:
    """Whether the person has an app that makes codes."""
    apps = Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP)
    return bool(apps.exists())


def is_shown(request: HttpRequest) -> bool:
    """Whether the person has an app that makes codes, and has given one in this session."""
    if not request.user.is_authenticated:
        return False
    records: Sequence[dict[str, Any]] = get_authentication_records(request, request.user)
    return any(record["method"] == METHOD for record in records) and is_set_up(request.user)


def show(request: HttpRequest) -> None:
    """Note in the session that its person has given a code."""
    record_authentication(request, request.user, METHOD, type=Authenticator.Type.TOTP)


@transaction.atomic
def forget(user: User, *, by: User | None) -> bool:
    """Let the password suffice again, for somebody who has lost the app and the recovery codes.

    Returns whether there was anything to forget. `by` is on record; None stands for the command
    line. Raises ValueError for one's own, which is given up on its page.
    """
    if by == user:
        raise ValueError("Nobody forgets their own second factor: they give it up, by a code.")
    is_gone = remove(user)
    if is_gone:
        audit.record(Act.SECOND_FACTOR_FORGOTTEN, by=by, on=user)
    return is_gone


def remove(user: User) -> bool:
    """Delete what makes codes, and the recovery codes. Returns whether there was any."""
    gone, _each = Authenticator.objects.filter(user=user).delete()
    return bool(gone)


def _cipher() -> MultiFernet:
    return _cipher_of(settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)


@lru_cache(maxsize=2)
def _cipher_of(*secret_keys: str) -> MultiFernet:
    return MultiFernet([Fernet(_derived(key)) for key in secret_keys])


def _derived(secret_key: str) -> bytes:
    """32 bytes as Fernet takes them, by HKDF (RFC 5869)."""
    derivation = HKDF(algorithm=SHA256(), length=32, salt=None, info=PURPOSE)
    return base64.urlsafe_b64encode(derivation.derive(secret_key.encode()))
