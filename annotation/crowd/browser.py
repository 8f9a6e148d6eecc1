"""The number of a participant's browser, in a signed cookie."""

import uuid
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse

NAME, SALT = settings.PARTICIPANT_BROWSER_COOKIE, "annotation.crowd.browser"
YEAR = timedelta(days=365)


def number_of(request: HttpRequest) -> uuid.UUID | None:
    """Return the number that the browser was given, or None."""
    number = request.get_signed_cookie(NAME, default=None, salt=SALT, max_age=YEAR)
    return uuid.UUID(number) if number else None


def remember(response: HttpResponse, number: uuid.UUID) -> None:
    response.set_signed_cookie(
        NAME,
        number.hex,
        salt=SALT,
        max_age=YEAR,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
