"""REST requests: whose they are, and what the scope of their token allows.

A session has all rights of its user, a token those of its scope. A view declares in `scope` what
reading requires: `Scope.RELEASES` or `Scope.READ`. Other methods require `Scope.MANAGE`. A view
without `scope` is closed to every token. Permissions of the user are checked separately.
"""

from typing import TYPE_CHECKING, Any, cast

from django.utils.translation import gettext as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import AccessToken, User

if TYPE_CHECKING:  # circular: rest_framework.views imports the classes named in settings
    from rest_framework.views import APIView

Scope = AccessToken.Scope
# Each includes those before it.
BREADTH = (Scope.RELEASES, Scope.READ, Scope.MANAGE)


class TokenAuthentication(KnoxAuthentication):
    """Token authentication of Knox, with 401 instead of 500 for a token that is not ASCII."""

    def authenticate_credentials(self, token: bytes) -> Any:
        if not token.isascii():
            raise AuthenticationFailed(_("Invalid token."))
        return super().authenticate_credentials(token)


class WithinScope(BasePermission):
    """Checks the scope of the token; the 403 names the required scope."""

    message = "This is not open to tokens."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        token = request.auth
        if token is None:
            return True
        needed = needed_scope(view, request.method)
        if needed is None or not isinstance(token, AccessToken):
            return False
        self.message = (
            f"This needs a token of the scope “{needed.value}”: yours is of “{token.scope}”."
        )
        return reaches(token.scope, needed)


def requester(request: Request) -> User:
    """Return the user who makes the request; every endpoint requires sign-in."""
    return cast(User, request.user)


def reaches(token_scope: str, needed: str) -> bool:
    """Return whether a token with the scope `token_scope` satisfies the required scope `needed`."""
    return token_scope in BREADTH[BREADTH.index(Scope(needed)) :]


def needed_scope(view: "APIView", method: str | None) -> AccessToken.Scope | None:
    """Return the scope that a token needs for a method of a view; None if no token suffices."""
    declared: AccessToken.Scope | None = getattr(view, "scope", None)
    return declared if declared is None or method in SAFE_METHODS else Scope.MANAGE
