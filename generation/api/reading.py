"""What the endpoints that read share: questions with known parameters, and pages of rows."""

import uuid
from typing import Any

from django.db.models import Model, QuerySet
from drf_spectacular.utils import inline_serializer
from drf_standardized_errors.openapi_serializers import ValidationErrorResponseSerializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

MAX_ROWS = 500
REFUSED = {400: ValidationErrorResponseSerializer}


class Query(serializers.Serializer[dict[str, Any]]):
    """The parameters that an endpoint knows; without fields of its own, none.

    Any other is refused: a filter that is misspelt must not return everything.
    """

    @classmethod
    def read(cls, request: Request) -> dict[str, Any]:
        """The checked parameters of a request. Raises ValidationError, which names the culprits."""
        given = request.query_params
        unknown = dict.fromkeys(given.keys() - cls().fields, "There is no such parameter.")
        if unknown:
            raise ValidationError(unknown, code="unknown")
        twice = {name: "Given more than once." for name, all_ in given.lists() if len(all_) > 1}
        if twice:
            raise ValidationError(twice, code="repeated")
        query = cls(data=given.dict())
        query.is_valid(raise_exception=True)
        return dict(query.validated_data)


class PageQuery(Query):
    """Where a page begins and how long it is."""

    after: serializers.Field[Any, Any, Any, Any] = serializers.UUIDField(
        required=False, help_text="The id of the last row of the page before"
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_ROWS, default=100, help_text="Rows of a page"
    )


class Reading(APIView):
    """An endpoint that only reads. Whoever may not see a row is told that there is none."""

    query_class: type[Query] = Query
    asked: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After the person is known, and before anything is read."""
        super().initial(request, *args, **kwargs)
        self.asked = self.query_class.read(request)


def paged(row: type[serializers.BaseSerializer[Any]]) -> dict[int, Any]:
    """The documented responses of an endpoint that answers with `page`."""
    fields = {
        "next": serializers.URLField(allow_null=True, help_text="The next page; null on the last"),
        "results": row(many=True),
    }
    return {200: inline_serializer(f"{row.__name__}Page", fields=fields), **REFUSED}


def page(
    view: Reading,
    rows: QuerySet[Any],
    row: type[serializers.BaseSerializer[Any]],
    *,
    among: QuerySet[Any] | None = None,
    key: str = "public_id",
) -> Response:
    """The rows after `after`, oldest first, at most `limit`.

    A page costs the same wherever it stands, and neither repeats nor skips a row when others come
    in meanwhile. `after` is looked up in `among`, the rows before they were filtered: the last row
    of a page may no longer be what was asked for. `key` is the column that holds a row's id.
    """
    limit = view.asked["limit"]
    if (after := view.asked.get("after")) is not None:
        rows = rows.filter(pk__gt=_place(rows if among is None else among, key, after))
    found = list(rows.order_by("pk")[: limit + 1])
    following = _address_after(view.request, found[limit - 1], key) if found[limit:] else None
    return Response({"next": following, "results": row(found[:limit], many=True).data})


def _place(rows: QuerySet[Any], key: str, after: uuid.UUID | str) -> int:
    place: int | None = rows.filter(**{key: after}).values_list("pk", flat=True).first()
    if place is None:
        raise ValidationError({"after": "There is no such row."}, code="unknown")
    return place


def _address_after(request: Request, last: Model, key: str) -> str:
    here = request.build_absolute_uri()
    return str(replace_query_param(here, "after", str(getattr(last, key))))
