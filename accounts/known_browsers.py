"""Browsers in which somebody has signed in before: their tries are counted for themselves.

So nobody can lock a person out by trying passwords, neither from afar nor from the same address.
The cookie names nobody: it holds a random number, and a digest of it and of the account's random
id, which only the secret key can make. It is of use for that account alone.
"""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

SALT = "accounts.known_browsers"
YEAR = 365 * 24 * 60 * 60


def remember(response: HttpResponse, user: User) -> None:
    """Let the browser that gets this reply be known to the account."""
    number = secrets.token_urlsafe(16)
    response.set_cookie(
        settings.KNOWN_BROWSER_COOKIE,
        f"{number}.{_digest(number, user, settings.SECRET_KEY)}",
        max_age=YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def number_of(request: HttpRequest, user: User) -> str | None:
    """By what number the browser is known to the account, if it is."""
    cookie = request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE, "")
    number, _, digest = cookie.partition(".")
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if any(constant_time_compare(digest, _digest(number, user, key)) for key in keys):
        return number
    return None


def _digest(number: str, user: User, key: str) -> str:
    text = f"{number}|{user.public_id}"
    return salted_hmac(SALT, text, secret=key, algorithm="sha256").hexdigest()
