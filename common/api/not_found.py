"""Addresses that there are not: told in the form of every other error."""

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from common.api.negotiation import FirstFormat


class UnknownAddress(APIView):
    """What is left when no other address fits."""

    permission_classes = [IsAuthenticated]
    content_negotiation_class = FirstFormat
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Whatever the method. Raises NotFound."""
        super().initial(request, *args, **kwargs)
        raise NotFound("There is no such address.")
