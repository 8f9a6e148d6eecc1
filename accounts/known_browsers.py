"""Known browsers: where a person has signed in before, attempts are counted separately.

Thus a person cannot be locked out by wrong passwords from elsewhere, not even from the same
address. The cookie identifies no person: it holds a random number, and a digest of it and the
random id of the account, which requires the secret key. It is valid for that account only.
"""

import secrets

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

SALT = "accounts.known_browsers"
YEAR = 365 * 24 * 60 * 60


def remember(response: HttpResponse, user: User) -> None:
    """Set the cookie that makes this browser known to the account."""
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
    """Return the number of the browser if it is known to the account, else None."""
    cookie = request.COOKIES.get(settings.KNOWN_BROWSER_COOKIE, "")
    number, _, digest = cookie.partition(".")
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    if any(constant_time_compare(digest, _digest(number, user, key)) for key in keys):
        return number
    return None


def _digest(number: str, user: User, key: str) -> str:
    text = f"{number}|{user.public_id}"
    return salted_hmac(SALT, text, secret=key, algorithm="sha256").hexdigest()
