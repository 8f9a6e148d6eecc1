"""The description of the interface: each operation with every answer that it can give."""

import re
from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_standardized_errors.openapi import AutoSchema

from accounts.scopes import asked_of
from common.api.endpoints import Endpoint, ListEndpoint
from common.api.ndjson import NDJSONRenderer

_LINES = """\
Asked for `application/x-ndjson`, it answers all rows at once, one a line of JSON, rather than a
page of them; `after` and the filters hold for them too, and `limit` only where it is given."""


class Schema(AutoSchema):
    """Errors are documented where they can occur, without being named by each endpoint."""

    view: Any  # with what those of this interface have: a tag, a scope, and a form of its rows

    def get_summary(self) -> str:
        """How its description begins."""
        return re.split(r"[.:;](?:\s|$)", super().get_description(), maxsplit=1)[0]

    def get_description(self) -> str:  # type: ignore[override]
        """What its code says of it, and what a token needs."""
        lines = _LINES if self._tells_lines() else ""
        scope = f"Scope of a token: `{self._scope()}`."
        return "\n\n".join(filter(None, [super().get_description(), lines, scope]))

    def get_tags(self) -> list[str]:
        """The chapter in which its view wants to stand."""
        return [self.view.tag]

    def get_extensions(self) -> dict[str, Any]:
        """OpenAPI knows of scopes with OAuth alone."""
        return {"x-scope": self._scope()}

    def _scope(self) -> str:
        return str(asked_of(self.view, self.method))

    def _tells_lines(self) -> bool:
        return isinstance(self.view, ListEndpoint) and self.method == "GET"

    def _get_response_for_code(
        self,
        serializer: Any,
        status_code: str,
        media_types: Any = None,
        direction: Any = "response",
    ) -> dict[str, Any]:
        """A line is a row, and errors are told in JSON."""
        told: dict[str, Any] = super()._get_response_for_code(  # type: ignore[no-untyped-call]
            serializer, status_code, media_types, direction
        )
        lines = told.get("content", {}).pop(NDJSONRenderer.media_type, None)
        if lines and status_code == "200":
            row = self.resolve_serializer(self.view.serializer_class, direction)
            told["content"][NDJSONRenderer.media_type] = {"schema": row.ref}
        return told

    def _should_add_validation_error_response(self) -> bool:
        return isinstance(self.view, Endpoint)  # which refuses parameters that it does not know

    def _should_add_http415_error_response(self) -> bool:
        return self.method == "POST" and self.get_request_serializer() is not None


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """Tokens, as knox's are described."""

    target_class = "accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        """With how it is written."""
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token `, and the token. Each operation says which scope it needs.",
        }
