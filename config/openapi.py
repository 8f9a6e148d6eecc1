"""The OpenAPI schema: each operation with all its possible responses."""

import re
from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from drf_standardized_errors.openapi import AutoSchema

from accounts.scopes import needed_scope
from common.api.endpoints import Endpoint, ListEndpoint, NDJSONRenderer

_LINES = """\
With `Accept: application/x-ndjson`, the reply is all rows, each a line of JSON, instead of a page.
`after` and the filters apply to them too, and `limit` only if it is given."""

# A body comes too slowly, without its length, or is too large: operations/receiving.py refuses it
# even where no view would read it.
OF_BODIES = ("408", "411", "413")


class Schema(AutoSchema):
    """Documents errors wherever they can occur, without declarations in each endpoint."""

    view: Any  # an endpoint, with `tag`, `scope` and `serializer_class`

    def get_summary(self) -> str:
        return re.split(r"[.:;](?:\s|$)", super().get_description(), maxsplit=1)[0]

    def get_description(self) -> str:  # type: ignore[override]
        lines = _LINES if self._tells_lines() else ""
        scope = f"Scope of a token: `{self._scope()}`."
        return "\n\n".join(filter(None, [super().get_description(), lines, scope]))

    def get_tags(self) -> list[str]:
        return [self.view.tag]

    def get_extensions(self) -> dict[str, Any]:
        """Add the scope as `x-scope`: OpenAPI has scopes for OAuth only."""
        return {"x-scope": self._scope()}

    def _scope(self) -> str:
        return str(needed_scope(self.view, self.method))

    def _tells_lines(self) -> bool:
        return isinstance(self.view, ListEndpoint) and self.method == "GET"

    def _get_response_for_code(
        self,
        serializer: Any,
        status_code: str,
        media_types: Any = None,
        direction: Any = "response",
    ) -> dict[str, Any]:
        """Document a line of NDJSON as one row, and errors as JSON only."""
        reply: dict[str, Any] = super()._get_response_for_code(  # type: ignore[no-untyped-call]
            serializer, status_code, media_types, direction
        )
        lines = reply.get("content", {}).pop(NDJSONRenderer.media_type, None)
        if lines and status_code == "200":
            row = self.resolve_serializer(self.view.serializer_class, direction)
            reply["content"][NDJSONRenderer.media_type] = {"schema": row.ref}
        return reply

    def _should_add_validation_error_response(self) -> bool:
        return isinstance(self.view, Endpoint)  # it rejects unknown parameters

    def _should_add_error_response(self, responses: dict[str, Any], status_code: str) -> bool:
        is_possible = self.method != "GET" or status_code not in OF_BODIES
        return is_possible and super()._should_add_error_response(responses, status_code)

    def _should_add_http415_error_response(self) -> bool:
        return self.method in ("POST", "PATCH") and self.get_request_serializer() is not None


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """Describes tokens in the same way as Knox tokens."""

    target_class = "accounts.scopes.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token `, and the token. Each operation says which scope it needs.",
        }
