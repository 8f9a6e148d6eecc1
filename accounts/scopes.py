"""What REST asks of a token. A session has all rights of its person; a token what its scope says.

A view says by `scope` what it takes to read it: `Scope.RELEASES` or `Scope.READ`. Anything but
reading takes `Scope.MANAGE`, unless the view says otherwise by `writing_scope`. A view that says
nothing is closed to every token. What the person may do is asked besides.
"""

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from accounts.models import AccessToken

if TYPE_CHECKING:  # rest_framework.views itself imports what the settings name
    from rest_framework.views import APIView

Scope = AccessToken.Scope
# Each holds those before it.
BREADTH = (Scope.RELEASES, Scope.READ, Scope.MANAGE)


def reaches(held: str, asked: str) -> bool:
    """Whether a token of one scope may do what asks for another."""
    return held in BREADTH[BREADTH.index(Scope(asked)) :]


class WithinScope(BasePermission):
    """A token is as good as its scope; 403 says what is missing."""

    message = "This is not open to tokens."

    def has_permission(self, request: Request, view: "APIView") -> bool:
        """Whether the request came without a token, or with one of a sufficient scope."""
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
    """The scope that a token needs for a method of a view; None: no token opens it."""
    declared: AccessToken.Scope | None = getattr(view, "scope", None)
    if declared is None or method in SAFE_METHODS:
        return declared
    return getattr(view, "writing_scope", Scope.MANAGE)
