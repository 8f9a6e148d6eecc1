"""Scopes of REST tokens. A session has all rights of its user, a token those of its scope.

A view declares in `scope` what reading requires: `Scope.RELEASES` or `Scope.READ`. Other methods
require `Scope.MANAGE`, unless the view sets `writing_scope`. A view without `scope` is closed to
every token. Permissions of the user are checked separately.
"""

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import AccessToken

if TYPE_CHECKING:  # circular: rest_framework.views imports the classes named in settings
    from rest_framework.views import APIView

Scope = AccessToken.Scope
# Each includes those before it.
BREADTH = (Scope.RELEASES, Scope.READ, Scope.MANAGE)


def reaches(held: str, asked: str) -> bool:
    """Return whether a token with the scope `held` satisfies the required scope `asked`."""
    return held in BREADTH[BREADTH.index(Scope(asked)) :]


class WithinScope(BasePermission):
    """Checks the scope of the token; the 403 names the required scope."""

    message = "This is not open to tokens."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        token = request.auth
        if token is None:
            return True
        asked = asked_of(view, request.method)
        if asked is None or not isinstance(token, AccessToken):
            return False
        self.message = (
            f"This needs a token of the scope “{asked.value}”: yours is of “{token.scope}”."
        )
        return reaches(token.scope, asked)


def asked_of(view: "APIView", method: str | None) -> AccessToken.Scope | None:
    """Return the scope that a token needs for a method of a view; None if no token suffices."""
    declared: AccessToken.Scope | None = getattr(view, "scope", None)
    if declared is None or method in SAFE_METHODS:
        return declared
    return getattr(view, "writing_scope", Scope.MANAGE)
