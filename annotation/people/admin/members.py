"""Admin page for project members, with actions to pause and resume them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.db.models import QuerySet
from django.http import HttpRequest
from import_export.fields import Field  # type: ignore[import-untyped]
from import_export.widgets import ForeignKeyWidget  # type: ignore[import-untyped]

from accounts.admin_tables import CheckedResource, ExchangeAdmin, StrictBoolean
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Correction, Intervention, Judgment, Membership, Project
from annotation.people.services import members
from annotation.projects.selectors import counts
from annotation.quality.services import interventions, review
from common.admin import ModelAdmin, TabularInline, listing

if TYPE_CHECKING:
    Rows = QuerySet[Membership]

Step = Callable[..., Intervention]

ROLES = (
    "Annotators work blind. Managers and researchers read everything of the project, also over "
    "REST: whoever is to judge without bias should be an annotator and nothing else."
)


class MemberInline(TabularInline):
    """The members of a project, shown on the project's page."""

    model = Membership
    autocomplete_fields = ("user",)
    fields = ("user", "role", "may_correct", "may_judge")
    extra = 1
    verbose_name_plural = "people"


class ReasonForm(ActionForm):
    """Reason for an action on a member. It is stored, and the member can read it."""

    reason = forms.CharField(
        required=False,
        max_length=500,
        label="Reason (they read it)",
        widget=forms.TextInput(attrs={"size": 24}),
    )


class MembersResource(CheckedResource):
    """Imports memberships by project name and user name; both must already exist."""

    project = Field("project", "project", ForeignKeyWidget(Project, "name"))
    user = Field("user", "user", ForeignKeyWidget(User, "username"))
    may_correct = Field("may_correct", "may_correct", StrictBoolean())
    may_judge = Field("may_judge", "may_judge", StrictBoolean())

    class Meta(CheckedResource.Meta):
        model = Membership
        import_id_fields = ("project", "user")
        fields: tuple[str, ...] = ("project", "user", "role", "may_correct", "may_judge")

    def do_instance_save(self, instance: Membership, is_create: bool) -> None:
        """Change an existing membership through the service, as the pages do."""
        if is_create:
            instance.save()
            return
        role, may_correct, may_judge = instance.role, instance.may_correct, instance.may_judge
        members.change(instance, role=role, may_correct=may_correct, may_judge=may_judge)


class MembersExport(MembersResource):
    class Meta(MembersResource.Meta):
        seen = ("joined_at", "consented_at", "qualified_at", "paused_at")
        fields = (*MembersResource.Meta.fields, *seen)


@admin.register(Membership)
class MembershipAdmin(ExchangeAdmin, ModelAdmin):
    """What a member may do in a project, and their work so far."""

    resource_classes = (MembersResource,)
    export_classes = (MembersExport,)
    action_form = ReasonForm
    actions = ("pause", "resume")
    list_display = (
        "user",
        "project",
        "role",
        "may_correct",
        "may_judge",
        "corrections",
        "judgments",
        "is_paused",
        "is_simulated",
        "joined_at",
    )
    list_select_related = ("user", "project")
    list_editable = ("may_correct", "may_judge")
    list_filter = (
        "project",
        "role",
        "may_correct",
        "may_judge",
        ("paused_at", admin.EmptyFieldListFilter),
        ("qualified_at", admin.EmptyFieldListFilter),
        "user__is_simulated",
    )
    list_per_page = 50
    search_fields = ("user__username", "user__first_name", "user__last_name")
    ordering = ("project__name", "user__username")
    autocomplete_fields = ("user", "project")
    steps = ("welcomed_at", "consented_at", "qualified_at", "paused_at")
    fieldsets = (
        (None, {"fields": ("project", "user", "joined_at")}),
        ("Role", {"fields": ("role", "may_correct", "may_judge"), "description": ROLES}),
        ("Steps", {"fields": steps}),
    )

    def get_queryset(self, request: HttpRequest) -> "Rows":
        return counts.of_memberships(super().get_queryset(request))

    def get_export_queryset(self, request: HttpRequest) -> "Rows":
        rows: Rows = super().get_export_queryset(request)
        return rows.select_related("project", "user")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Lock project and user of an existing membership."""
        own = ("joined_at", *self.steps)
        return (*own, "project", "user") if obj else own

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """Save only the changed fields: the member's queue places may change meanwhile."""
        obj.save(update_fields=form.changed_data if change else None)

    @admin.action(description="Pause: they are given no work", permissions=["change"])
    def pause(self, request: HttpRequest, chosen: "Rows") -> None:
        self._step(request, chosen, interventions.pause, "paused")

    @admin.action(
        description="Resume, and settle their flags: they are given work", permissions=["change"]
    )
    def resume(self, request: HttpRequest, chosen: "Rows") -> None:
        self._step(request, chosen, review.dismiss, "resumed")

    @admin.display(description="paused", boolean=True)
    def is_paused(self, member: Membership) -> bool:
        return member.paused_at is not None

    @admin.display(description="simulated", boolean=True)
    def is_simulated(self, member: Membership) -> bool:
        return member.user.is_simulated

    @admin.display(description="corrections")
    def corrections(self, member: Any) -> str:
        return listing(Correction, member.corrections, **_own(member))

    @admin.display(description="judgments")
    def judgments(self, member: Any) -> str:
        return listing(Judgment, member.judgments, **_own(member))

    def _step(self, request: HttpRequest, chosen: "Rows", step: Step, done: str) -> None:
        """Apply a step to each member and report the members for whom it was refused."""
        by, reason = cast(User, request.user), request.POST.get("reason", "")
        refused = 0
        for member in chosen:
            try:
                step(member, by=by, reason=reason)
            except Refused as error:
                refused += 1
                self.message_user(request, f"{member}: {error}", messages.WARNING)
        level = messages.WARNING if refused else messages.SUCCESS
        self.message_user(request, f"{len(chosen) - refused} of {len(chosen)} {done}.", level)


def _own(member: Membership) -> dict[str, int]:
    return {"annotator__id__exact": member.user_id, "project__id__exact": member.project_id}
