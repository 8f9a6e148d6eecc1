"""Who a REST request is from."""

from typing import Any, cast

from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import User


class TokenAuthentication(KnoxAuthentication):
    """Knox's, which answers 401 instead of 500 to a token that is not ASCII."""

    def authenticate_credentials(self, token: bytes) -> Any:
        """The person and the token. Raises AuthenticationFailed."""
        if not token.isascii():
            raise AuthenticationFailed(_("Invalid token."))
        return super().authenticate_credentials(token)


def requester(request: Request) -> User:
    """The person who makes the request; every endpoint requires sign-in."""
    return cast(User, request.user)
