"""Keyset pagination of REST lists: every page costs the same."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from common import bulk, keyset

MAX_ROWS = 1000
AFTER = "The page begins after this row: take it from `next`, or give the key of a row"
Part = serializers.Field[Any, Any, Any, Any]


class Pages(BasePagination):
    """At most `limit` rows after the row `after`, oldest first.

    Rows that are added meanwhile are neither repeated nor skipped. A subclass may set another
    `order`, of columns that are unique together, and another `key`: the columns by which `after`
    names a row, joined by dots, with a field that parses each. The row `after` is looked up without
    the filters of the request: it may no longer match them.
    """

    order: ClassVar[tuple[str, ...]] = ("pk",)
    key: ClassVar[Mapping[str, Part]] = {"public_id": serializers.UUIDField()}
    key_schema: ClassVar[Mapping[str, Any]] = {"type": "string", "format": "uuid"}
    limit: ClassVar[Part] = serializers.IntegerField(min_value=1, max_value=MAX_ROWS, default=100)
    parameters = frozenset({"after", "limit"})

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        limit, after = self._read_parameters(request)
        page, has_more = self._page(queryset, view, limit, after)
        last = ".".join(map(str, self._key_of(page[-1]).values())) if has_more else ""
        url = request.build_absolute_uri()
        self.next = replace_query_param(url, "after", last) if has_more else None
        return page

    def pages(self, queryset: Any, request: Request, view: Any) -> Iterator[list[Any]]:
        """Yield all rows after `after` in pages; with `limit`, a single page.

        Raises ValidationError.
        """
        limit, after = self._read_parameters(request)
        is_unlimited = "limit" not in request.query_params
        page, has_more = self._page(queryset, view, MAX_ROWS if is_unlimited else limit, after)
        yield page
        while is_unlimited and has_more:
            page, has_more = self._page(queryset, view, MAX_ROWS, self._key_of(page[-1]))
            yield page

    def beyond(self, rows: QuerySet[Any], place: tuple[Any, ...]) -> QuerySet[Any]:
        """The rows after `place`, the values of the `order` columns of one row."""
        return rows.filter(keyset.beyond(self.order, place))

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"next": self.next, "results": data})

    def get_paginated_response_schema(self, schema: Any) -> dict[str, Any]:
        address = {"type": "string", "format": "uri", "nullable": True}
        about = {"description": "The next page; null on the last", "example": None}
        return {
            "type": "object",
            "required": ["next", "results"],
            "properties": {"next": address | about, "results": schema},
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        limit = {"type": "integer", "minimum": 1, "maximum": MAX_ROWS, "default": 100}
        return [
            {"name": name, "in": "query", "required": False, "description": text, "schema": schema}
            for name, text, schema in (
                ("after", AFTER, dict(self.key_schema)),
                ("limit", "Rows of a page", limit),
            )
        ]

    def _read_parameters(self, request: Request) -> tuple[int, dict[str, Any] | None]:
        """The limit, and the columns of the row `after`."""
        parameters = request.query_params
        limit = _check_part("limit", self.limit, parameters.get("limit", serializers.empty))
        if "after" not in parameters:
            return limit, None
        parts = parameters["after"].rsplit(".", len(self.key) - 1)
        if len(parts) < len(self.key):
            raise _no_such_row()
        columns = zip(self.key.items(), parts, strict=True)
        return limit, {name: _check_part("after", part, text) for (name, part), text in columns}

    def _page(
        self, queryset: Any, view: Any, limit: int, after: dict[str, Any] | None
    ) -> tuple[list[Any], bool]:
        """Return the rows of a page, and whether there are more."""
        if (values := self._order_values(view, after)) is not None:
            queryset = self.beyond(queryset, values)
        # Read the primary keys first, then the rows by key. With joins, the database may read all
        # related tables as a whole; with a subquery, it guesses the number of keys.
        keys = list(queryset.order_by(*self.order).values_list("pk", flat=True)[: limit + 1])
        rows = view.get_queryset().filter(bulk.among("pk", keys[:limit]))
        return list(rows.order_by(*self.order)), len(keys) > limit

    def _order_values(self, view: Any, after: dict[str, Any] | None) -> tuple[Any, ...] | None:
        """Return the `order` columns of the row `after`. Raises ValidationError."""
        if after is None:
            return None
        rows = view.get_queryset().filter(**after)
        # No order, not even that of `first`: the database might read all rows in that order.
        places = list(rows.values_list(*self.order).order_by()[:1])
        if not places:
            raise _no_such_row()
        return tuple(places[0])

    def _key_of(self, row: Any) -> dict[str, Any]:
        return {column: getattr(row, column) for column in self.key}


def _check_part(name: str, field: Part, value: Any) -> Any:
    try:
        return field.run_validation(value)
    except ValidationError as error:
        raise ValidationError({name: error.detail}) from error


def _no_such_row() -> ValidationError:
    return ValidationError({"after": "There is no such row."}, code="unknown")
