"""Read-only admin pages for models and their judgments."""

from django.contrib import admin

from annotation.models import Guest, GuestJudgment
from common.admin import LargeTable, ReadOnly, link


@admin.register(Guest)
class GuestAdmin(ReadOnly, LargeTable):
    list_display = ("name", "revision", "project", "note", "added_by", "created_at")
    list_select_related = ("project", "added_by")
    list_filter = ("project",)
    search_fields = ("public_id", "name", "revision")
    search_help_text = "A public id, a name or a revision"


@admin.register(GuestJudgment)
class GuestJudgmentAdmin(ReadOnly, LargeTable):
    list_display = ("of_pair", "label", "score", "guest")
    list_select_related = ("guest", "pair")
    list_filter = ("guest__project", "guest")
    search_fields = ("pair__public_id", "guest__name")
    search_help_text = "The public id of a pair, or the name of a guest"

    @admin.display(description="pair")
    def of_pair(self, judgment: GuestJudgment) -> str:
        return link(judgment.pair)
