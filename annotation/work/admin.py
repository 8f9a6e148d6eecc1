"""Admin pages of items, slots and skips of every kind."""

import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any, cast

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from accounts.models import User
from annotation.models import Item, Project, Skip, Slot
from annotation.models.items import WITH_TEXTS
from annotation.work import lists, order
from common.admin import LargeTable, ModelAdmin, ReadOnly, TabularInline, column, excerpt, link


class AnsweredFilter(admin.SimpleListFilter):
    """Slots by state: answered unless something else is chosen, since most free slots are empty."""

    title = "state"
    parameter_name = "slot"
    states = (("all", "all"), ("in_progress", "in progress"), ("free", "free"))

    def lookups(self, request: HttpRequest, model_admin: Any) -> tuple[tuple[str, str], ...]:
        return self.states

    def choices(self, changelist: Any) -> Iterator[Any]:
        """Name the first choice, which is none, after what it shows."""
        default, *states = super().choices(changelist)
        yield {**default, "display": "answered"}
        yield from states

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() in (None, "answered"):
            return queryset.filter(submitted_at__isnull=False)
        if self.value() in ("in_progress", "free"):
            claimed = self.value() == "in_progress"
            return queryset.filter(submitted_at=None, annotator__isnull=not claimed)
        return queryset


class DecidedFilter(admin.SimpleListFilter):
    """Pairs by consensus."""

    title = "consensus"
    parameter_name = "consensus"
    states = (
        ("open", "not decided"),
        ("decided", "decided"),
        ("kept", "decided and kept"),
        ("low", "decided, too little agreement"),
    )
    conditions: dict[str, dict[str, Any]] = {
        "open": {"consensus": None},
        "decided": {"consensus__isnull": False},
        "kept": {"consensus__kept": True},
        "low": {"consensus__kept": False},
    }

    def lookups(self, request: HttpRequest, model_admin: Any) -> tuple[tuple[str, str], ...]:
        return self.states

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(**self.conditions.get(self.value() or "", {}))


class GoldFilter(admin.SimpleListFilter):
    """Gold pairs, or all other pairs; uses an index."""

    title = "gold"
    parameter_name = "gold"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "gold pairs"), ("no", "pairs of the study")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() in ("yes", "no"):
            return queryset.filter(gold_label__isnull=self.value() == "no")
        return queryset


class ExcludedFilter(admin.SimpleListFilter):
    """Judgments by whether they are excluded."""

    title = "excluded"
    parameter_name = "excluded"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "excluded from consensus"), ("no", "counts")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() in ("yes", "no"):
            return queryset.filter(excluded_by__isnull=self.value() == "no")
        return queryset


Ids = Collection[uuid.UUID]
Change = Callable[[Project, Ids], int]


class Queued(ModelAdmin):
    """Read-only items whose priority can be set by users with the change permission."""

    actions = ("first", "normally", "last", "put_back")

    def has_order_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(f"{self.opts.app_label}.change_{self.opts.model_name}")

    @admin.action(description="Judge first", permissions=["order"])
    def first(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._order(request, chosen, 1)

    @admin.action(description="Normal priority", permissions=["order"])
    def normally(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._order(request, chosen, 0)

    @admin.action(description="Judge last", permissions=["order"])
    def last(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._order(request, chosen, -1)

    @admin.action(description="Return to the queue", permissions=["order"])
    def put_back(self, request: HttpRequest, chosen: QuerySet[Any]) -> None:
        self._change(request, chosen, partial(order.put_back, by=_asker(request)))

    def _order(self, request: HttpRequest, chosen: QuerySet[Any], level: int) -> None:
        change = partial(order.prioritize, level=level, by=_asker(request))
        self._change(request, chosen, change)

    def _change(self, request: HttpRequest, chosen: QuerySet[Any], change: Change) -> None:
        by_project: defaultdict[int, list[uuid.UUID]] = defaultdict(list)
        for project, public_id in chosen.order_by().values_list("project", "public_id"):
            by_project[project].append(public_id)
        projects = Project.objects.in_bulk(by_project)
        changed = sum(change(projects[key], public_ids) for key, public_ids in by_project.items())
        number_of_items = sum(map(len, by_project.values()))
        self.message_user(request, f"{changed} of {number_of_items} changed.", messages.SUCCESS)


def _asker(request: HttpRequest) -> User:
    return cast(User, request.user)


class SlotInline(ReadOnly, TabularInline):
    """The slots of an item."""

    model = Slot
    fields = ("number", "annotator", "label", "action", "seconds", "submitted_at", "lease_until")
    ordering = ("number",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Slot]:
        rows: QuerySet[Slot] = super().get_queryset(request)
        return rows.select_related("annotator")


@admin.register(Item)
class ItemAdmin(ReadOnly, Queued, LargeTable):
    inlines = (SlotInline,)
    list_display = ("shown", "kind", "project", "priority", "set_aside_at", "created_at")
    list_select_related = ("project", *WITH_TEXTS)
    list_filter = (*("project", "kind", "priority"), ("set_aside_at", admin.EmptyFieldListFilter))
    search_fields = ("public_id",)
    search_help_text = "A public id"
    fields = (
        *("project", "kind", "shown", "slot_count", "gold_label", "priority"),
        *("set_aside_at", "public_id", "created_at"),
    )
    readonly_fields = fields

    @admin.display(description="item")
    def shown(self, item: Item) -> str:
        return excerpt(" / ".join(lists.line_of(item).sentences))


@admin.register(Skip)
class SkipAdmin(ReadOnly, LargeTable):
    list_display = ("annotator", "project", "of_item", "reason", "words", "created_at")
    list_select_related = ("annotator", "project", "item")
    list_filter = ("project", "reason")
    search_fields = ("item__public_id", "annotator__username", "note")
    search_help_text = "The public id of an item, a person, or words of the note"
    of_item = column("item", "item", show=link)
    words = column("note", "note", show=excerpt)
