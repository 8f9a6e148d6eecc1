"""Authentication of REST requests."""

from typing import Any, cast

from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import User


class TokenAuthentication(KnoxAuthentication):
    """Token authentication of Knox, with 401 instead of 500 for a token that is not ASCII."""

    def authenticate_credentials(self, token: bytes) -> Any:
        if not token.isascii():
            raise AuthenticationFailed(_("Invalid token."))
        return super().authenticate_credentials(token)


def requester(request: Request) -> User:
    """Return the user who makes the request; every endpoint requires sign-in."""
    return cast(User, request.user)
