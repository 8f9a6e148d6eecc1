"""Processes that guess a password at the same moment."""

import json
import time
from collections.abc import Callable

from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client
from django.utils import timezone

from accounts import limits
from accounts.models import SignInTries, User
from tests.accounts.codes import PASSWORD


def prepare() -> None:
    """The account that they are after."""
    User.objects.create_user("ada", password=PASSWORD)


def guess(times: int, *, guarded: bool = True) -> None:
    """Print how many guesses were put through the hasher. Without the guard, tries are looked up
    first and counted afterwards."""
    if not guarded:
        limits._reserve = _checked_then_counted
    evaluated = _counting()
    for _ in range(times):
        Client(SERVER_NAME="localhost").post(
            "/accounts/login/", {"login": "ada", "password": "wrong"}
        )
    print(json.dumps(len(evaluated)))


def _counting() -> list[str]:
    seen: list[str] = []
    encode: Callable[..., str] = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        seen.append(password)
        return encode(self, password, salt)

    MD5PasswordHasher.encode = counted
    return seen


def _checked_then_counted(asked: dict[str, limits.Limit]) -> list[SignInTries]:
    now = timezone.now()
    found = {row.digest: row for row in SignInTries.objects.filter(pk__in=asked)}
    time.sleep(0.5)
    rows = []
    for digest, limit in asked.items():
        tries = found[digest].tries if digest in found else 0
        rows.append(SignInTries(digest=digest, tries=tries + 1, until=now + limit.within))
    for row in rows:
        SignInTries.objects.update_or_create(
            digest=row.digest, defaults={"tries": row.tries, "until": row.until}
        )
    return rows
