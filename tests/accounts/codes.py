"""People with passwords, and an app that makes codes, as they have it on their telephone."""

from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from django.core.cache import cache
from django.test import Client

PASSWORD = "quiet-orchard-lantern"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def code(secret=SECRET, *, steps=0):
    """What the app shows now, or so many half minutes later."""
    counter = int(auth.time.time()) // 30 + steps  # by the clock that allauth goes by
    return auth.format_hotp_value(auth.hotp_value(secret, counter))


def set_up(user):
    """Give somebody a second factor; returns the recovery codes."""
    # allauth keeps spent codes there by the number of the person, and tests begin again at one.
    cache.clear()
    auth.TOTP.activate(user, SECRET)
    return RecoveryCodes.activate(user).get_unused_codes()


def signed_in(name, *, given=None):
    """A browser in which somebody has given the password, and a code where one is given."""
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    if given is not None:
        client.post("/accounts/2fa/authenticate/", {"code": given})
    return client


def is_in(client):
    return "_auth_user_id" in client.session


def choose_password(client, link):
    """Open a link, be led to its form, and fill it in."""
    form = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(form, {"password1": PASSWORD, "password2": PASSWORD})
