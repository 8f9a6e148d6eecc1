"""Who works in which project."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from annotation.models import Correction, Judgment, Membership
from annotation.selectors import tables
from generation.admin.rows import ModelAdmin, TabularInline, listing

ROLES = (
    "Annotators work blind. Managers and researchers read everything of the project, also over "
    "REST: whoever is to judge without bias should be an annotator and nothing else."
)


class MemberInline(TabularInline):
    """The people of a project, on its page."""

    model = Membership
    autocomplete_fields = ("user",)
    fields = ("user", "role", "may_correct", "may_judge")
    extra = 1
    verbose_name_plural = "people"


@admin.register(Membership)
class MembershipAdmin(ModelAdmin):
    """What somebody may do in a project, and what they have done there."""

    list_display = (
        "user",
        "project",
        "role",
        "may_correct",
        "may_judge",
        "corrections",
        "judgments",
        "is_simulated",
        "joined_at",
    )
    list_select_related = ("user", "project")
    list_editable = ("may_correct", "may_judge")
    list_filter = ("project", "role", "may_correct", "may_judge", "user__is_simulated")
    list_per_page = 50
    search_fields = ("user__username", "user__first_name", "user__last_name")
    ordering = ("project__name", "user__username")
    autocomplete_fields = ("user", "project")
    fieldsets = (
        (None, {"fields": ("project", "user", "joined_at")}),
        ("Role", {"fields": ("role", "may_correct", "may_judge"), "description": ROLES}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return tables.of_memberships(super().get_queryset(request))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """A place is somebody's in one project: another person or project is another place."""
        return ("joined_at", "project", "user") if obj else ("joined_at",)

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """Save what was changed alone: the person's places in the queues move meanwhile."""
        obj.save(update_fields=form.changed_data if change else None)

    @admin.display(description="simulated", boolean=True)
    def is_simulated(self, member: Membership) -> bool:
        return member.user.is_simulated

    @admin.display(description="corrections")
    def corrections(self, member: Any) -> str:
        return listing(Correction, member.corrections, **_own(member))

    @admin.display(description="judgments")
    def judgments(self, member: Any) -> str:
        return listing(Judgment, member.judgments, **_own(member))


def _own(member: Membership) -> dict[str, int]:
    return {"annotator__id__exact": member.user_id, "project__id__exact": member.project_id}
