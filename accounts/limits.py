"""How often a secret may be tried: counted in the database before anybody looks at the secret.

A try is reserved by one statement, which counts it and says how many there were. Only after that
is committed is the secret looked at, so however many try at once, no more than the limit get so
far. A try that succeeds is given back, and so is one that is refused: what is refused in one place
closes no door elsewhere.
"""

import math
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import F
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext

from accounts import known_browsers
from accounts.addresses import client_address
from accounts.models import SignInTries, User

SALT = "accounts.limits"
# More than a try can add, so that what is over does not pile up.
SWEPT_AT_ONCE = 20


class Purpose(StrEnum):
    """What is tried."""

    PASSWORD = "password"  # noqa: S105 not a secret
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Limit:
    """So many tries within so long, counted from the first."""

    tries: int
    within: timedelta


# One account from one address, or from one browser that is known to it.
ACCOUNT_AND_PLACE = Limit(10, timedelta(minutes=15))
ACCOUNT = Limit(100, timedelta(hours=1))
# All accounts from one address: a whole university may sit behind it.
ADDRESS = Limit(200, timedelta(minutes=15))


class TooManyTries(ValidationError):
    """Nothing was looked at. The text says when to try again."""

    def __init__(self, until: datetime) -> None:
        self.until = until
        minutes = max(1, math.ceil((until - timezone.now()) / timedelta(minutes=1)))
        super().__init__(
            ngettext(
                "That was tried too often. Try again in %(minutes)d minute.",
                "That was tried too often. Try again in %(minutes)d minutes.",
                minutes,
            )
            % {"minutes": minutes},
            code="too_many_tries",
        )


# Rows come in the order of their digests, so that two tries never wait for each other.
RESERVE = """
INSERT INTO accounts_signintries (digest, tries, until) VALUES {rows}
ON CONFLICT (digest) DO UPDATE SET
    tries = CASE WHEN accounts_signintries.until <= %s THEN 1
                 ELSE accounts_signintries.tries + 1 END,
    until = CASE WHEN accounts_signintries.until <= %s THEN excluded.until
                 ELSE accounts_signintries.until END
RETURNING digest, tries, until"""


@contextmanager
def a_try(purpose: Purpose, account: User | str, request: HttpRequest) -> Iterator["Try"]:
    """Look at a secret within this, and say `succeeded()` where it was right.

    `account` is the person, or the name of somebody who is not here. Raises TooManyTries instead,
    and RuntimeError within a transaction: a try that is rolled back was none.
    """
    limits = _limits(purpose, account, request)
    # Where nothing is free anyway, nothing is written either: a flood costs a look each.
    _refuse(SignInTries.objects.filter(pk__in=limits, until__gt=timezone.now()), limits, more=1)
    rows = _reserve(limits)
    try:
        _refuse(rows, limits, more=0)
    except TooManyTries:
        _give_back(rows)
        raise
    _sweep()
    this = Try()
    yield this
    if this.is_right:
        _give_back(rows)


def is_first(what: str, account: User, *, within: timedelta) -> bool:
    """Whether nobody has asked this of the account within so long; to ask is to be counted."""
    [row] = _reserve({_digest(what, _name(account)): Limit(1, within)})
    return row.tries == 1


class Try:
    """A secret that is being looked at."""

    is_right = False

    def succeeded(self) -> None:
        """It was right: the try is not counted."""
        self.is_right = True


def _limits(purpose: Purpose, account: User | str, request: HttpRequest) -> dict[str, Limit]:
    """What a try is counted under. A browser that is known to the account is a place of its own."""
    address, who = client_address(request), _name(account)
    if isinstance(account, User) and (number := known_browsers.number_of(request, account)):
        return {_digest(purpose, who, f"browser {number}"): ACCOUNT_AND_PLACE}
    return {
        _digest(purpose, who, address): ACCOUNT_AND_PLACE,
        _digest(purpose, who, ""): ACCOUNT,
        _digest(purpose, "", address): ADDRESS,
    }


def _name(account: User | str) -> str:
    """The same for every way to write it."""
    if isinstance(account, User):
        return f"account {account.public_id}"
    return f"name {unicodedata.normalize('NFKC', account).casefold()}"


def _refuse(rows: Iterable[SignInTries], limits: dict[str, Limit], *, more: int) -> None:
    """Raises TooManyTries where so many more are beyond a limit."""
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
    """Not from a window that has begun since."""
    for row in sorted(rows, key=lambda row: row.digest):
        counted = SignInTries.objects.filter(digest=row.digest, until=row.until)
        counted.update(tries=F("tries") - 1)
        counted.filter(tries=0).delete()


@transaction.atomic
def _sweep() -> None:
    over = SignInTries.objects.filter(until__lt=timezone.now()).order_by("until")
    # Past what others are about to count on.
    over = over.select_for_update(skip_locked=True)[:SWEPT_AT_ONCE]
    SignInTries.objects.filter(pk__in=over.values("pk")).delete()
