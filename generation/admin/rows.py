"""What the pages of the admin share: rows that are promises, big tables, and links between rows."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.text import Truncator

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
    TabularInline = admin.TabularInline[Any, Any]
else:
    ModelAdmin, TabularInline = admin.ModelAdmin, admin.TabularInline

EXCERPT = 90


class Frozen:
    """Rows that the services write and nobody else: the admin shows them."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class Big(ModelAdmin):
    """Tables that may hold millions of rows: what is shown is counted once, and newest first."""

    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    ordering = ("-pk",)
    sortable_by = ()


def link(row: Model | None, text: object = None) -> SafeString | str:
    """A link to the page of a row, under its own name or under `text`; a dash for none."""
    if row is None:
        return "–"
    address = reverse(_page(type(row), "change"), args=[row.pk])
    return format_html('<a href="{}">{}</a>', address, excerpt(row if text is None else text))


def listing(model: type[Model], text: object, **filters: str | int) -> SafeString:
    """A link to the table of a model, with filters as its own pages write them."""
    address = reverse(_page(model, "changelist"))
    return format_html('<a href="{}?{}">{}</a>', address, urlencode(filters), text)


def excerpt(text: object) -> str:
    """The beginning of a text that may be long."""
    return Truncator(str(text)).chars(EXCERPT)


def _page(model: type[Model], name: str) -> str:
    return f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}"
