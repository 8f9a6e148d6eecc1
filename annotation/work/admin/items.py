"""Admin page of items of every kind: what is answered, by whom, and its order in the queue."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from annotation.models import Item, Skip, Slot
from annotation.work import lists
from annotation.work.admin.queue import Queued
from common.admin import LargeTable, ReadOnly, TabularInline, excerpt, link


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
    list_select_related = ("project", *lists.WITH_TEXTS)
    list_filter = (
        *("project", "kind", "priority"),
        ("set_aside_at", admin.EmptyFieldListFilter),
    )
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

    @admin.display(description="item")
    def of_item(self, skip: Skip) -> str:
        return link(skip.item)

    @admin.display(description="note")
    def words(self, skip: Skip) -> str:
        return excerpt(skip.note)
