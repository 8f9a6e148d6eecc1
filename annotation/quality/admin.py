"""Read-only admin pages for interventions and skipped items."""

from django.contrib import admin

from annotation.models import Intervention
from common.admin import LargeTable, ReadOnly, excerpt, link


@admin.register(Intervention)
class InterventionAdmin(ReadOnly, LargeTable):
    """Interventions are made on an annotator's page."""

    list_display = ("of_member", "kind", "by", "why", "created_at")
    list_select_related = ("membership__user", "membership__project", "by")
    list_filter = ("membership__project", "kind", ("by", admin.EmptyFieldListFilter))
    search_fields = ("membership__user__username", "by__username", "reason")
    search_help_text = "A person, or words of the reason"

    @admin.display(description="annotator")
    def of_member(self, step: Intervention) -> str:
        return link(step.membership)

    @admin.display(description="reason")
    def why(self, step: Intervention) -> str:
        return excerpt(step.reason)
