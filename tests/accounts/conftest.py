"""A clock that tests of sign-in limits and codes move, so that no limit ends while they run."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from allauth.mfa.totp.internal import auth
from django.contrib.auth.hashers import MD5PasswordHasher
from django.utils import timezone

from accounts import limits
from accounts.models import User
from tests.accounts.codes import PASSWORD


@pytest.fixture
def clock(monkeypatch):
    """Stands still until it is moved, in the middle of the half minute of a code."""
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
def evaluated(ada, monkeypatch):
    """Every password that is put through the hasher from now on."""
    seen, encode = [], MD5PasswordHasher.encode

    def counted(self, password, salt):
        seen.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    return seen
