"""Admin page of recruiting links: read-only, as the pages of a project create and close them."""

from django.contrib import admin

from annotation.models import Recruitment
from common.admin import ModelAdmin, ReadOnly, column


@admin.register(Recruitment)
class RecruitmentAdmin(ReadOnly, ModelAdmin):
    """Links by which platforms send participants, without their addresses."""

    list_display = ("number", "project", "platform", "note", "most_people", "expires_at")
    list_select_related = ("project",)
    list_filter = ("project", "platform", ("revoked_at", admin.EmptyFieldListFilter), "expires_at")
    list_per_page = 50
    search_fields = ("public_id", "note", "created_by__username", "project__name")
    fields = (
        *("project", "platform", "kinds", "note", "most_people", "expires_at", "revoked_at"),
        *("completion_code", "completion_url", "screen_out_code", "screen_out_url"),
        *("least_answers", "nothing_left_code", "nothing_left_url", "same_browser"),
        *("reward", "currency", "created_by", "created_at", "public_id"),
    )
    number = column("pk", "recruiting link", show="#{}".format, ordering="pk")
