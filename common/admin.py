"""Base classes and links for admin pages: read-only rows and large tables."""

import uuid
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import CASCADE, PROTECT, RESTRICT, ForeignObjectRel, Model, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import Truncator

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
    AnyPaginator = Paginator[Any]
else:
    ModelAdmin, TabularInline, AnyPaginator = admin.ModelAdmin, admin.TabularInline, Paginator

EXCERPT = 90
# Further down, people use filters rather than pages.
MAX_COUNTED = 10_000


class ReadOnly:
    """Rows that only services write: the admin shows them."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class OffersDeletion(ModelAdmin):
    """Offers a deletion only where the database would not refuse it."""

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        if not super().has_delete_permission(request, obj):
            return False
        return obj is None or not _are_needed(type(obj)._base_manager.filter(pk=obj.pk))


class ByServices(ModelAdmin):
    """Forms that services save: these record each act, so Django's log gets no second entry."""

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return None


class BoundedPaginator(AnyPaginator):
    """Counts at most MAX_COUNTED rows, so that the page of a large table stays fast."""

    @cached_property
    def _bounded_count(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by().values("pk")[: MAX_COUNTED + 1].count()

    @property
    def count(self) -> int:
        return min(self._bounded_count, MAX_COUNTED)

    @property
    def is_cut(self) -> bool:
        return self._bounded_count > MAX_COUNTED


class LargeTable(ModelAdmin):
    """A table that may hold millions of rows: newest first, counted up to a limit.

    A search for a public id uses its index, whatever else `search_fields` names.
    """

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    ordering = ("-pk",)
    sortable_by = ()

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        fields = [name for name in self.search_fields if str(name).endswith("public_id")]
        public_id = _public_id(search_term)
        if not fields or public_id is None:
            return super().get_search_results(request, queryset, search_term)
        return queryset.filter(**{str(fields[0]): public_id}), False


def column(
    path: str,
    heading: str,
    *,
    show: Callable[[Any], Any] | None = None,
    ordering: str | None = None,
    boolean: bool | None = None,
) -> Callable[..., Any]:
    """A column with the value at a path of names from the row, as `show` returns it.

    What can be called is called; the value is None where the path ends.
    """

    @admin.display(description=heading, ordering=ordering, boolean=boolean)
    def cell(_page: ModelAdmin, row: Any) -> Any:
        value = row
        for name in path.split("."):
            value = getattr(value, name, None)
            value = value() if callable(value) else value
        return show(value) if show else value

    return cell


def link(row: Model | None, text: object = None) -> SafeString | str:
    """A link to the admin page of a row, labelled `text` or its name; a dash for None."""
    if row is None:
        return "–"
    address = reverse(_page(type(row), "change"), args=[row.pk])
    return format_html('<a href="{}">{}</a>', address, excerpt(row if text is None else text))


def listing(model: type[Model], text: object, **filters: str | int) -> SafeString:
    address = reverse(_page(model, "changelist"))
    return format_html('<a href="{}?{}">{}</a>', address, urlencode(filters), text)


def excerpt(text: object) -> str:
    return Truncator(str("" if text is None else text)).chars(EXCERPT)


def _are_needed(rows: QuerySet[Any]) -> bool:
    """Whether a row that would not be deleted with these points at one of them."""
    for relation in rows.model._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or not relation.field.concrete:
            continue
        if relation.field.many_to_many:
            continue
        name = f"{relation.field.name}__in"
        pointing = relation.related_model._base_manager.filter(**{name: rows})
        if relation.on_delete in (PROTECT, RESTRICT) and pointing.exists():
            return True
        if relation.on_delete is CASCADE and _are_needed(pointing):
            return True
    return False


def _page(model: type[Model], name: str) -> str:
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}"


def _public_id(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text.strip())
    except ValueError:
        return None
