"""Limits on attempts to enter a password or code, counted in the database.

One statement counts the attempt and returns the new count. It is committed before the secret is
checked, so concurrent attempts cannot exceed the limit. Successful attempts are uncounted, and so
are refused ones: reaching one limit does not use up another.

Where a person has signed in before, attempts are counted separately: wrong passwords from
elsewhere, even from the same address, cannot lock them out. Such a browser has a cookie with a
random number, signed for that account.
"""

import math
import secrets
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from ipaddress import IPv6Address, ip_address, ip_network

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from accounts.models import SignInTries, User

SALT = "accounts.limits"
YEAR = timedelta(days=365)
# A client usually controls its whole IPv6 network, so its addresses count as one.
NETWORK = 64
# More rows than one attempt adds, so that expired rows do not accumulate.
SWEPT_AT_ONCE = 20


class Purpose(StrEnum):
    """The kind of secret."""

    PASSWORD = "password"  # noqa: S105 not a secret
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `tries` attempts in a period that begins with the first one."""

    tries: int
    within: timedelta


# One account from one address, or from one known browser.
ACCOUNT_AND_PLACE = Limit(10, timedelta(minutes=15))
ACCOUNT = Limit(100, timedelta(hours=1))
# All accounts from one address, which a whole university may share.
ADDRESS = Limit(200, timedelta(minutes=15))


class TooManyTries(ValidationError):
    """A limit is reached; the secret was not checked. The text says when to try again."""

    def __init__(self, until: datetime) -> None:
        minutes = max(1, math.ceil((until - timezone.now()) / timedelta(minutes=1)))
        text = ngettext(
            "Too many attempts. Try again in %(minutes)d minute.",
            "Too many attempts. Try again in %(minutes)d minutes.",
            minutes,
        )
        super().__init__(text % {"minutes": minutes}, code="too_many_tries")


# Rows are sorted by digest, so that concurrent attempts cannot deadlock.
RESERVE = """
INSERT INTO accounts_signintries (digest, tries, until) VALUES {rows}
ON CONFLICT (digest) DO UPDATE SET
    tries = CASE WHEN accounts_signintries.until <= %s THEN 1
                 ELSE accounts_signintries.tries + 1 END,
    until = CASE WHEN accounts_signintries.until <= %s THEN excluded.until
                 ELSE accounts_signintries.until END
RETURNING digest, tries, until"""


class Attempt:
    """An attempt whose secret is being checked."""

    is_right = False

    def succeeded(self) -> None:
        self.is_right = True


@contextmanager
def sign_in_attempt(
    purpose: Purpose, account: User | str, request: HttpRequest
) -> Iterator[Attempt]:
    """Count an attempt while the block checks a secret; call `succeeded()` if it is correct.

    `account` is the user, or the entered name if there is no such user. Raises TooManyTries before
    the block runs, and RuntimeError within a transaction, whose rollback would undo the count.
    """
    limits = _limits(purpose, account, request)
    # Over the limit, a flood of attempts causes reads only.
    _refuse(SignInTries.objects.filter(pk__in=limits, until__gt=timezone.now()), limits, more=1)
    rows = _reserve(limits)
    try:
        _refuse(rows, limits, more=0)
    except TooManyTries:
        _give_back(rows)
        raise
    _sweep()
    attempt = Attempt()
    yield attempt
    if attempt.is_right:
        _give_back(rows)


def is_first(what: str, account: User, *, within: timedelta) -> bool:
    """Count this call; return whether it is the first for the account in the period `within`."""
    [row] = _reserve({_digest(what, _name(account)): Limit(1, within)})
    return row.tries == 1


def remember_browser(response: HttpResponse, user: User) -> None:
    name, number = settings.KNOWN_BROWSER_COOKIE, secrets.token_urlsafe(16)
    set_browser_cookie(response, name, number, salt=str(user.public_id))


def set_browser_cookie(response: HttpResponse, name: str, number: str, *, salt: str) -> None:
    response.set_signed_cookie(
        name,
        number,
        salt=salt,
        max_age=YEAR,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def known_browser(request: HttpRequest, user: User) -> str | None:
    name, salt = settings.KNOWN_BROWSER_COOKIE, str(user.public_id)
    return request.get_signed_cookie(name, default=None, salt=salt, max_age=YEAR)


def client_address(request: HttpRequest) -> str:
    """Return the client address; of IPv6, the network."""
    # From X-Forwarded-For, as ALLAUTH_TRUSTED_PROXY_COUNT proxies wrote it: allauth raises
    # ImproperlyConfigured for fewer, and PermissionDenied if there is no address.
    address = ip_address(get_adapter().get_client_ip(request))
    if isinstance(address, IPv6Address):
        return str(address.ipv4_mapped or ip_network((address, NETWORK), strict=False))
    return str(address)


def _limits(purpose: Purpose, account: User | str, request: HttpRequest) -> dict[str, Limit]:
    """Return the limits of an attempt by digest; a known browser has only its own limit."""
    address, name = client_address(request), _name(account)
    if isinstance(account, User) and (number := known_browser(request, account)):
        return {_digest(purpose, name, f"browser {number}"): ACCOUNT_AND_PLACE}
    return {
        _digest(purpose, name, address): ACCOUNT_AND_PLACE,
        _digest(purpose, name, ""): ACCOUNT,
        _digest(purpose, "", address): ADDRESS,
    }


def _name(account: User | str) -> str:
    """Return an identifier that is the same for all spellings of a user name."""
    if isinstance(account, User):
        return f"account {account.public_id}"
    return f"name {unicodedata.normalize('NFKC', account).casefold()}"


def _refuse(rows: Iterable[SignInTries], limits: dict[str, Limit], *, more: int) -> None:
    full = [row.until for row in rows if row.tries + more > limits[row.digest].tries]
    if full:
        raise TooManyTries(max(full))


def _digest(*parts: str) -> str:
    return salted_hmac(SALT, "\0".join(parts), algorithm="sha256").hexdigest()


def _reserve(limits: dict[str, Limit]) -> list[SignInTries]:
    now, adapt = timezone.now(), connection.ops.adapt_datetimefield_value
    rows = ", ".join(["(%s, 1, %s)"] * len(limits))
    values = [
        value for digest in sorted(limits) for value in (digest, adapt(now + limits[digest].within))
    ]
    parameters = [*values, adapt(now), adapt(now)]
    with transaction.atomic(durable=True):
        return list(SignInTries.objects.raw(RESERVE.format(rows=rows), parameters))


@transaction.atomic
def _give_back(rows: list[SignInTries]) -> None:
    """Uncount an attempt, unless a new period has begun."""
    for row in sorted(rows, key=lambda row: row.digest):
        counts = SignInTries.objects.filter(digest=row.digest, until=row.until)
        counts.update(tries=F("tries") - 1)
        counts.filter(tries=0).delete()


@transaction.atomic
def _sweep() -> None:
    expired = SignInTries.objects.filter(until__lt=timezone.now()).order_by("until")
    # Skip rows that concurrent attempts have locked.
    expired = expired.select_for_update(skip_locked=True)[:SWEPT_AT_ONCE]
    SignInTries.objects.filter(pk__in=expired.values("pk")).delete()
