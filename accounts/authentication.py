"""Who a request over REST is from, when it shows a token."""

from typing import Any

from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed


class TokenAuthentication(KnoxAuthentication):
    """Knox's, to which bytes that are no text are a wrong token and no fault of the server."""

    def authenticate_credentials(self, token: bytes) -> Any:
        """The person and the token. Raises AuthenticationFailed."""
        if not token.isascii():
            raise AuthenticationFailed(_("Invalid token."))
        return super().authenticate_credentials(token)
