"""An app that makes codes, as somebody has it on their telephone."""

import time

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client

from accounts.models import User

PASSWORD = "quiet-orchard-lantern"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def code(secret: str = SECRET, *, steps: int = 0) -> str:
    """What the app shows now, or so many half minutes later."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


def set_up(user: User) -> list[str]:
    """Give somebody a second factor; returns the recovery codes."""
    # allauth keeps spent codes there by the number of the person, and tests begin anew at one.
    cache.clear()
    TOTP.activate(user, SECRET)
    return RecoveryCodes.activate(user).get_unused_codes()


def signed_in(name: str, *, given: str | None = None) -> Client:
    """A browser in which somebody has given the password, and a code where one is given."""
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    if given is not None:
        client.post("/accounts/2fa/authenticate/", {"code": given})
    return client
