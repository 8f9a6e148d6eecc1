"""REST endpoint for the token of the request."""

from typing import cast

from django.db import transaction
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import audit
from accounts.audited_acts import Act
from accounts.authentication import TokenAuthentication
from accounts.models import User
from accounts.scopes import Scope


class CurrentToken(APIView):
    """The token that authenticates the request."""

    authentication_classes = [TokenAuthentication]
    tag = "Tokens"
    scope = writing_scope = Scope.RELEASES  # every token may revoke itself

    @transaction.atomic
    @extend_schema(operation_id="tokens_current_revoke", request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Revoke the token of this request. This is immediate and permanent."""
        request.auth.delete()
        person = cast(User, request.user)
        audit.record(Act.TOKEN_REVOKED, by=person, on=person)
        return Response(status=status.HTTP_204_NO_CONTENT)
