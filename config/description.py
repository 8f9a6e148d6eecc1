"""The OpenAPI schema as a file."""

from functools import cache
from typing import cast

from django.http import HttpResponse
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request


class Description(SpectacularAPIView):
    """Generating the schema takes most of a second, so it is done once per format and language."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *_args: object, **_kwargs: object) -> HttpResponse:
        renderer = request.accepted_renderer
        schema = _rendered(renderer.format, get_language() or "")
        reply = HttpResponse(schema, content_type=f"{renderer.media_type}; charset=utf-8")
        reply.headers["Content-Disposition"] = f'inline; filename="Pawsmith.{renderer.format}"'
        return reply


@cache
def _rendered(name: str, _language: str) -> bytes:
    renderer = next(each for each in Description.renderer_classes if each.format == name)
    schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    return cast(bytes, renderer().render(schema))
