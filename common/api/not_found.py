"""404 for unknown addresses, in the same form as other errors."""

from typing import Any

from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from common.api.negotiation import FirstFormat


class UnknownAddress(APIView):
    """Matches any address that no other pattern matched."""

    permission_classes = [IsAuthenticated]
    content_negotiation_class = FirstFormat
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Raises NotFound for every method."""
        super().initial(request, *args, **kwargs)
        raise NotFound("There is no such address.")
