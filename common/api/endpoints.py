"""Base classes of REST endpoints: formats, declared parameters, one row by its id, lists."""

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import IO, Any, cast

from django.http import QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django_filters.rest_framework import DjangoFilterBackend
from rest_framework import serializers
from rest_framework.compat import LONG_SEPARATORS, SHORT_SEPARATORS
from rest_framework.exceptions import APIException, NotFound, ValidationError
from rest_framework.generics import GenericAPIView
from rest_framework.mixins import ListModelMixin, RetrieveModelMixin
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from common import bounded_json
from common.api.paging import Pages
from common.bounded_json import InvalidJSON


class NDJSONRenderer(JSONRenderer):
    """Renders a row as one line of JSON."""

    media_type = "application/x-ndjson"
    format = "ndjson"

    def lines(self, rows: Iterable[Any]) -> bytes:
        """Return each row as `render` writes it, on a line; one encoder serves all rows."""
        encoder = self.encoder_class(
            ensure_ascii=self.ensure_ascii,
            allow_nan=not self.strict,
            separators=SHORT_SEPARATORS if self.compact else LONG_SEPARATORS,
        )
        text = "".join([f"{encoder.encode(row)}\n" for row in rows])
        return text.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029").encode()


class CheckedJSONParser(BaseParser):
    """Parses a JSON object in UTF-8 of bounded size and depth."""

    media_type = "application/json"
    most = bounded_json.MAX_BYTES

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Any = None
    ) -> dict[str, Any]:
        """Raises ValidationError for a body that is too large or not a JSON object."""
        try:
            body = bounded_json.read(stream.read(self.most + 1), most=self.most)
        except InvalidJSON as error:
            raise ValidationError(str(error), code="parse_error") from error
        if not isinstance(body, dict):
            raise ValidationError("This is not a JSON object.", code="parse_error")
        return body


class RowsParser(CheckedJSONParser):
    """Parses a JSON object with many rows; its views declare `largest_body`."""

    most = 5_000_000


class TakesRows:
    """An endpoint whose requests may be large: many rows, guidelines or documentation."""

    parser_classes: Sequence[type[BaseParser]] = [RowsParser]
    largest_body = RowsParser.most


class Endpoint(GenericAPIView[Any]):
    """An endpoint that accepts declared parameters only. Rows of others are 404.

    `tag` is its group in the OpenAPI description (config/settings/interface.py).
    """

    tag: str
    lookup_field = "public_id"
    pagination_class: type[Pages] | None = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        names = self.parameters() if request.method in SAFE_METHODS else ()
        check_parameters(request.query_params, names)

    def parameters(self) -> Collection[str]:
        """The names of the parameters that a read accepts."""
        return ()


def sent_values(
    form: type[serializers.Serializer[Any]], request: Request, **options: Any
) -> dict[str, Any]:
    """Return what was sent, checked by the form. Raises ValidationError."""
    sent = form(data=request.data, **options)
    sent.is_valid(raise_exception=True)
    return dict(sent.validated_data)


class DetailEndpoint(RetrieveModelMixin, Endpoint):
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.retrieve(request, *args, **kwargs)


class ListEndpoint(ListModelMixin, Endpoint):
    """An endpoint that returns rows, filtered by `filterset_class`, in pages or as NDJSON."""

    filter_backends = [DjangoFilterBackend]
    pagination_class = Pages
    filterset_class: Any = None

    def get_renderers(self) -> list[BaseRenderer]:
        reads = self.request.method in SAFE_METHODS
        return [JSONRenderer(), NDJSONRenderer()] if reads else [JSONRenderer()]

    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if isinstance(request.accepted_renderer, NDJSONRenderer):
            return self.as_lines()
        return self.list(request, *args, **kwargs)

    def as_lines(self) -> HttpResponseBase:
        """Stream all rows page by page, so that memory does not grow with the list.

        An invalid request is refused before the first row. A later error ends the response early,
        which HTTP clients detect.
        """
        rows = self.filter_queryset(self.get_queryset())
        pages = cast(Pages, self.paginator).pages(rows, self.request, self)
        all_pages = chain([next(pages)], pages if self.request.method != "HEAD" else ())
        renderer = NDJSONRenderer()
        lines = (renderer.lines(self.get_serializer(page, many=True).data) for page in all_pages)
        return StreamingHttpResponse(lines, content_type=NDJSONRenderer.media_type)

    def handle_exception(self, exc: Exception) -> Response:
        """Errors are JSON even where NDJSON was requested."""
        response = super().handle_exception(exc)
        response.content_type = JSONRenderer.media_type
        return response

    def parameters(self) -> Collection[str]:
        """The parameters of pages, and the declared filters."""
        filters = self.filterset_class.base_filters if self.filterset_class else ()
        return {*Pages.parameters, *filters}


class FirstFormat(BaseContentNegotiation):
    """Uses the first format, whatever the request accepts: for endpoints with one format."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type


class Refusal(APIView):
    """Answers with an error, in the same form as others, whatever the request is."""

    content_negotiation_class = FirstFormat
    schema = None
    error = APIException()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise self.error


class Sent(serializers.Serializer[Any]):
    """What a request sends: declared fields only, as a typo must not select a default."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            _refuse(data.keys() - self.fields, "There is no such field.", "unknown")
        return super().to_internal_value(data)


class UnknownAddress(APIView):
    """Answers 404, in the same form as other errors, where no other pattern matched."""

    permission_classes = [IsAuthenticated]
    content_negotiation_class = FirstFormat
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound("There is no such address.")


def check_parameters(parameters: QueryDict, allowed: Collection[str]) -> None:
    """Raise ValidationError for parameters that are unknown, empty or repeated."""
    # A misspelt filter must not return more rows than the requester wanted.
    _refuse(parameters.keys() - set(allowed), "There is no such parameter.", "unknown")
    _refuse(
        (name for name, all_ in parameters.lists() if len(all_) > 1), "Given twice.", "repeated"
    )
    _refuse((name for name, value in parameters.items() if not value), "This is empty.", "blank")


def _refuse(names: Any, why: str, code: str) -> None:
    if wrong := dict.fromkeys(names, why):
        raise ValidationError(wrong, code=code)
