"""REST errors: one shape for all of them, also in the OpenAPI schema."""

from dataclasses import replace
from typing import Any, ClassVar

from django.core.exceptions import NON_FIELD_ERRORS, BadRequest, SuspiciousOperation
from django.core.exceptions import ValidationError as InvalidValues
from django.http import UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema_serializer
from drf_standardized_errors.formatter import ExceptionFormatter
from drf_standardized_errors.handler import ExceptionHandler
from drf_standardized_errors.openapi_serializers import (
    ClientErrorEnum,
    ErrorResponse403Serializer,
    ErrorResponse404Serializer,
    ValidationErrorEnum,
)
from drf_standardized_errors.types import Error
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.fields import get_error_detail
from rest_framework.settings import api_settings

from common.outages import is_outage


class Conflict(APIException):
    """The state of a row does not allow the request."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class Gone(APIException):
    """The row existed and was withdrawn."""

    status_code = status.HTTP_410_GONE
    default_code = "gone"


class Unavailable(APIException):
    """The database is away or busy; the client can retry."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "unavailable"
    default_detail = "The database does not answer just now. Try again in a moment."


class Refused(APIException):
    """The body of the request may not arrive, or not now."""

    CODES: ClassVar = {
        status.HTTP_408_REQUEST_TIMEOUT: "too_slow",
        status.HTTP_411_LENGTH_REQUIRED: "length_required",
        status.HTTP_413_REQUEST_ENTITY_TOO_LARGE: "too_large",
        status.HTTP_429_TOO_MANY_REQUESTS: "busy",
        status.HTTP_503_SERVICE_UNAVAILABLE: "busy",
    }

    def __init__(self, status_code: int, reason: str, *, wait: int | None = None) -> None:
        super().__init__(reason, code=self.CODES[status_code])
        self.status_code = status_code
        self.wait = wait  # in seconds, for Retry-After


def error_of_unreadable_body(error: UnreadablePostError) -> APIException:
    """Return why a body did not arrive to its end: it came too slowly, or it broke off."""
    reason = _("Nothing was stored: the connection was too slow, or it broke. Try again.")
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, TimeoutError):
            return Refused(status.HTTP_408_REQUEST_TIMEOUT, reason)
        cause = cause.__cause__
    return ValidationError(reason, code="parse_error")


def invalid(error: InvalidValues) -> ValidationError:
    """Return what a form, a model or a service has refused, as an error of a request."""
    detail: Any = get_error_detail(error)
    if isinstance(detail, dict) and NON_FIELD_ERRORS in detail:
        detail[api_settings.NON_FIELD_ERRORS_KEY] = detail.pop(NON_FIELD_ERRORS)
    return ValidationError(detail)


class Formatter(ExceptionFormatter):
    """Names no field where an error belongs to none."""

    def get_errors(self) -> list[Error]:
        errors = super().get_errors()
        return [
            replace(error, attr=None) if error.attr == api_settings.NON_FIELD_ERRORS_KEY else error
            for error in errors
        ]


class Handler(ExceptionHandler):
    """Answers 400 to requests that Django cannot read, and 503 while the database is away."""

    def convert_known_exceptions(self, exc: Exception) -> Exception:
        if is_outage(exc):
            return Unavailable()
        if isinstance(exc, UnreadablePostError):
            return error_of_unreadable_body(exc)
        if isinstance(exc, BadRequest | SuspiciousOperation | MultiPartParserError):
            return ValidationError("The request cannot be read.", code="parse_error")
        return super().convert_known_exceptions(exc)


def example(http: int, code: str, detail: str, attr: str | None = None) -> list[OpenApiExample]:
    kind = "validation_error" if http == status.HTTP_400_BAD_REQUEST else "client_error"
    value = {"type": kind, "errors": [{"code": code, "detail": detail, "attr": attr}]}
    return [OpenApiExample("An error", value, status_codes=[str(http)])]


class Problem(serializers.Serializer[Any]):
    code = serializers.CharField(help_text="For programs")
    detail = serializers.CharField(help_text="For people")
    attr = serializers.CharField(allow_null=True, help_text="The parameter or field, if it is one")


@extend_schema_serializer(examples=example(400, "unknown", "There is no such parameter.", "keept"))
class InvalidRequest(serializers.Serializer[Any]):
    """The body of a 400: every invalid parameter and field."""

    type = serializers.ChoiceField(choices=ValidationErrorEnum.choices)
    errors = Problem(many=True)  # type: ignore[assignment]


@extend_schema_serializer(
    examples=[
        *example(408, "too_slow", "Nothing was stored: the connection was too slow."),
        *example(411, "length_required", "Nothing was stored: the request has no Content-Length."),
        *example(413, "too_large", "Nothing was stored: this is larger than the page accepts."),
        *example(409, "conflict", "The run is done: it cannot be paused."),
        *example(410, "gone", "The release was withdrawn: Two sources were not free."),
    ]
)
class RefusalResponse(serializers.Serializer[Any]):
    """The body of a refusal: `detail` is the reason."""

    type = serializers.ChoiceField(choices=ClientErrorEnum.choices)
    errors = Problem(many=True)  # type: ignore[assignment]


# Of routes that are closed to some people, or hidden from them.
CLOSED = {403: ErrorResponse403Serializer, 404: ErrorResponse404Serializer}
