"""People with passwords and an app that makes codes, and a clock that tests move, so that no limit
ends while they run."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import limits
from accounts.models import User

PASSWORD = "quiet-orchard-lantern"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def code(secret=SECRET, *, steps=0):
    """What the app shows now, or `steps` half minutes later."""
    counter = int(auth.time.time()) // 30 + steps  # by the clock that allauth goes by
    return auth.format_hotp_value(auth.hotp_value(secret, counter))


def set_up(user):
    """Give a person a second factor; returns the recovery codes."""
    # allauth keeps spent codes there by the number of the person, and tests begin again at one.
    cache.clear()
    auth.TOTP.activate(user, SECRET)
    return RecoveryCodes.activate(user).get_unused_codes()


def signed_in(name, *, given=None):
    """A browser in which the password was given, and a code where one is given."""
    client = Client()
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    if given:
        client.post("/accounts/2fa/authenticate/", {"code": given})
    return client


def is_in(client):
    return "_auth_user_id" in client.session


def session_of(user, **options):
    client = Client(**options)
    client.force_login(user)
    return client


def program(token):
    return APIClient(headers={"Authorization": f"Token {token}"})


def status(token, address="/api/projects/"):
    return program(token).get(address).status_code


def choose_password(client, link):
    """Open a link, be led to its form, and fill it in; returns the page that this leads to."""
    form = client.get(link, follow=True).redirect_chain[-1][0]
    return client.post(form, {"password1": PASSWORD}, follow=True)


@pytest.fixture
def clock(monkeypatch):
    """A clock that stops in the middle of the half minute of a code until it is moved."""
    clock = SimpleNamespace(at=timezone.now().replace(second=10), now=lambda: clock.at)
    clock.move = lambda **passed: setattr(clock, "at", clock.at + timedelta(**passed))
    monkeypatch.setattr(limits, "timezone", clock)
    monkeypatch.setattr(auth, "time", SimpleNamespace(time=lambda: clock.at.timestamp()))
    return clock


@pytest.fixture
def ada(db):
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def root(db):
    return User.objects.create_superuser("root", password=PASSWORD)


@pytest.fixture
def admin(root):
    return session_of(root)


@pytest.fixture
def evaluated(ada, monkeypatch):
    """Every password that is put through the hasher from now on."""
    seen, encode = [], MD5PasswordHasher.encode

    def counted(self, password, salt):
        seen.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    return seen
