"""What the endpoints that read share: questions with known parameters, and pages of rows."""

import uuid
from typing import Any, cast

from django.db.models import Model, Q, QuerySet
from drf_spectacular.utils import inline_serializer
from drf_standardized_errors.openapi_serializers import ValidationErrorResponseSerializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param
from rest_framework.views import APIView

from accounts.models import User

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
    """An endpoint of known parameters. Whoever may not see a row is told that there is none."""

    query_class: type[Query] = Query
    asked: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """After the person is known, and before anything is read."""
        super().initial(request, *args, **kwargs)
        self.asked = self.query_class.read(request)


def person(request: Request) -> User:
    """Whoever asks: all endpoints are for people who are signed in."""
    return cast(User, request.user)


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
    order: tuple[str, ...] = ("pk",),
) -> Response:
    """The rows after `after`, at most `limit`, oldest first unless told another unique `order`.

    A page costs the same wherever it stands, and, oldest first, neither repeats nor skips a row
    when others come in meanwhile. `after` is looked up in `among`, the rows before they were
    filtered: the last row of a page may no longer be what was asked for. `key` is the column that
    holds a row's id.
    """
    limit = view.asked["limit"]
    if (after := view.asked.get("after")) is not None:
        place = _place(rows if among is None else among, {key: after}, order)
        rows = rows.filter(_beyond(order, place))
    found = list(rows.order_by(*order)[: limit + 1])
    following = _address_after(view.request, found[limit - 1], key) if found[limit:] else None
    return Response({"next": following, "results": row(found[:limit], many=True).data})


def _place(
    rows: QuerySet[Any], named: dict[str, uuid.UUID | str], order: tuple[str, ...]
) -> tuple[Any, ...]:
    place: tuple[Any, ...] | None = rows.filter(**named).values_list(*order).first()
    if place is None:
        raise ValidationError({"after": "There is no such row."}, code="unknown")
    return place


def _beyond(order: tuple[str, ...], place: tuple[Any, ...]) -> Q:
    """Whatever comes later in this order, in the form that an index over it can answer."""
    (column, *others), (value, *rest) = order, place
    later = Q(**{f"{column}__gt": value})
    if not others:
        return later
    return Q(**{f"{column}__gte": value}) & (later | _beyond(tuple(others), tuple(rest)))


def _address_after(request: Request, last: Model, key: str) -> str:
    here = request.build_absolute_uri()
    return str(replace_query_param(here, "after", str(getattr(last, key))))
