"""The description of the interface: each operation with every answer that it can give."""

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_standardized_errors.openapi import AutoSchema

from generation.api.reading import Reading


class Schema(AutoSchema):
    """Errors are documented where they can occur, without being named by each endpoint."""

    def _should_add_validation_error_response(self) -> bool:
        return isinstance(self.view, Reading)  # which refuses parameters that it does not know

    def _should_add_http415_error_response(self) -> bool:
        return self.method == "POST" and self.get_request_serializer() is not None


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """Tokens, as knox's are described."""

    target_class = "accounts.authentication.TokenAuthentication"
