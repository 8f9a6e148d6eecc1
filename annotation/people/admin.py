"""Admin pages of members, whom they let administrators pause, and of invitations."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.core.exceptions import ValidationError
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from import_export.fields import Field  # type: ignore[import-untyped]
from import_export.widgets import ForeignKeyWidget  # type: ignore[import-untyped]

from accounts.admin_tables import CheckedResource, ExchangeAdmin
from accounts.models import User
from annotation.errors import Refused
from annotation.models import Intervention, Invitation, Membership, Project, Role, SamePerson
from annotation.people.services import invitations, members, same_person
from annotation.projects.services import projects
from annotation.quality.services import interventions
from annotation.work.kinds import KINDS
from common.admin import ByServices, ModelAdmin, ReadOnly, TabularInline, column, listing
from common.forms import ModelForm

Rows = QuerySet[Membership]
Step = Callable[..., Intervention]

ROLES = (
    "Annotators work blind. Managers and researchers read everything of the project, also over "
    "REST: a person who is to judge without bias should be an annotator only."
)


class MemberForm(ModelForm[Membership]):
    """A member's role and the kinds of work that they may do, saved through the services."""

    kinds = forms.MultipleChoiceField(
        choices=[(name, kind.title) for name, kind in KINDS.items()],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="work",
    )
    despite_votes = forms.BooleanField(
        required=False,
        label="assign work even though they can see votes",
        help_text="Managers and researchers get no work without this.",
    )

    class Meta:
        model = Membership
        fields = ("project", "user", "role")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial["kinds"] = self.instance.kinds if self.instance.pk else list(KINDS)
        sees_votes = self.instance.role != Role.ANNOTATOR
        self.initial["despite_votes"] = sees_votes and bool(self.initial["kinds"])

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if self.instance.pk:
            try:
                members.require_manager(self.instance, values.get("role", ""))
            except Refused as refusal:
                self.add_error("role", str(refusal))
        return values

    def write(self, by: User | None) -> None:
        role, chosen_kinds = Role(self.cleaned_data["role"]), self.cleaned_data["kinds"]
        despite = self.cleaned_data["despite_votes"]
        kinds = members.allowed_kinds(role, chosen_kinds, despite_votes=despite)
        project, user = self.instance.project, self.instance.user
        if member := Membership.objects.filter(project=project, user=user).first():
            members.change(member, role=role, kinds=kinds, by=by)
        else:
            member = projects.add_member(project, user, role=role, kinds=kinds, by=by)
        self.instance.pk = member.pk


class MemberInline(TabularInline):
    """The members of a project, shown on the project's page."""

    model = Membership
    form = MemberForm
    autocomplete_fields = ("user",)
    fields = ("user", "role", "kinds", "despite_votes")
    extra = 1
    can_delete = False
    verbose_name_plural = "people"


class ReasonForm(ActionForm):
    """Reason for an action on a member. It is stored, and the member can read it."""

    reason = forms.CharField(
        required=False,
        max_length=500,
        label="Reason (the annotator sees it)",
        widget=forms.TextInput(attrs={"size": 24}),
    )


class MembersResource(CheckedResource):
    """Imports memberships by project name and user name; both must already exist."""

    project = Field("project", "project", ForeignKeyWidget(Project, "name"))
    user = Field("user", "user", ForeignKeyWidget(User, "username"))
    kinds = Field(column_name="kinds")

    class Meta(CheckedResource.Meta):
        model = Membership
        import_id_fields = ("project", "user")
        fields = ("project", "user", "role", "kinds")

    def dehydrate_kinds(self, member: Membership) -> str:
        return " ".join(member.kinds)

    def import_instance(self, instance: Membership, row: Mapping[str, Any], **kwargs: Any) -> None:
        """Read the kinds of work too; without this column, a newcomer gets those of their role.

        Raises ValidationError for an unknown one.
        """
        super().import_instance(instance, row, **kwargs)
        usual = projects.usual_kinds(instance.project, instance.role)
        kinds = instance.kinds if instance.pk else usual
        wanted_kinds = str(row["kinds"] or "").split() if "kinds" in row else kinds
        instance.wanted_kinds, instance.by = wanted_kinds, kwargs.get("user")  # type: ignore[attr-defined]
        if unknown := set(instance.wanted_kinds) - {*KINDS}:  # type: ignore[attr-defined]
            raise ValidationError({"kinds": f"Not a kind of work: {', '.join(sorted(unknown))}."})

    def skip_row(self, instance: Membership, original: Membership, *args: Any) -> bool:
        is_same = sorted(instance.wanted_kinds) == original.kinds if original.pk else False  # type: ignore[attr-defined]
        return is_same and bool(super().skip_row(instance, original, *args))

    def do_instance_save(self, instance: Membership, is_create: bool) -> None:
        """Write through the services, as the pages do."""
        role, kinds = Role(instance.role), instance.wanted_kinds  # type: ignore[attr-defined]
        by, project = instance.by, instance.project  # type: ignore[attr-defined]
        if is_create:
            member = projects.add_member(project, instance.user, role=role, kinds=kinds, by=by)
            instance.pk = member.pk
        else:
            members.change(Membership.objects.get(pk=instance.pk), role=role, kinds=kinds, by=by)


@admin.register(Membership)
class MembershipAdmin(ExchangeAdmin, ByServices):
    """What a member may do in a project."""

    resource_classes = export_classes = (MembersResource,)
    form = MemberForm
    action_form = ReasonForm
    actions = ("pause", "resume")
    list_display = ("user", "project", "role", "work", "is_paused", "is_simulated", "joined_at")
    list_select_related = ("user", "project")
    list_filter = (
        "project",
        "role",
        ("paused_at", admin.EmptyFieldListFilter),
        ("qualified_at", admin.EmptyFieldListFilter),
        "user__is_simulated",
    )
    list_per_page = 50
    search_fields = ("user__username", "user__first_name", "user__last_name")
    ordering = ("project__name", "user__username")
    autocomplete_fields = ("user", "project")
    steps = ("welcomed_at", "consented_at", "replied_at", "qualified_at", "paused_at")
    fieldsets = (
        (None, {"fields": ("project", "user", "joined_at")}),
        ("Role", {"fields": ("role", "kinds", "despite_votes"), "description": ROLES}),
        ("Steps", {"fields": steps}),
    )

    def get_queryset(self, request: HttpRequest) -> Rows:
        rows: Rows = super().get_queryset(request)
        return rows.prefetch_related("duties")

    def get_export_queryset(self, request: HttpRequest) -> Rows:
        rows: Rows = super().get_export_queryset(request)
        return rows.select_related("project", "user")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Refuse: answers, items in progress and interventions belong to the membership."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        fields = ("joined_at", *self.steps)
        return (*fields, "project", "user") if obj else fields

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """Write through the services, as the pages do."""
        form.write(cast(User, request.user))
        obj.pk = form.instance.pk

    @admin.action(description="Pause: they get no work", permissions=["change"])
    def pause(self, request: HttpRequest, chosen: Rows) -> None:
        self._step(request, chosen, interventions.pause, "paused")

    @admin.action(
        description="Resume and dismiss flags: they get work again", permissions=["change"]
    )
    def resume(self, request: HttpRequest, chosen: Rows) -> None:
        self._step(request, chosen, interventions.resume, "resumed")

    @admin.display(description="work")
    def work(self, member: Membership) -> str:
        return ", ".join(str(KINDS[kind].title) for kind in member.kinds)

    is_paused = column("paused_at", "paused", show=bool, boolean=True)
    is_simulated = column("user.is_simulated", "simulated", boolean=True)

    def _step(self, request: HttpRequest, chosen: Rows, step: Step, done: str) -> None:
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


@admin.register(Invitation)
class InvitationAdmin(ReadOnly, ModelAdmin):
    """Read-only. Links are created on the people page of a project, the only place to show them."""

    actions = ("revoke",)
    list_display = ("number", "project", "role", "joined", "note", "expires_at", "revoked_at")
    list_select_related = ("project",)
    list_filter = ("project", "role", ("revoked_at", admin.EmptyFieldListFilter), "expires_at")
    list_per_page = 50
    search_fields = ("public_id", "note", "created_by__username", "project__name")
    fields = (
        *("project", "role", "kinds", "note", "joined", "most_people"),
        *("expires_at", "revoked_at", "created_by", "created_at", "public_id"),
    )
    readonly_fields = ("joined", "public_id")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        rows: QuerySet[Invitation] = super().get_queryset(request)
        return rows.annotate(people=Count("memberships"))

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Allow users who may change invitations to revoke them, although rows are read-only."""
        return request.user.has_perm("annotation.change_invitation")

    @admin.action(description="Revoke: no one else can join by them", permissions=["revoke"])
    def revoke(self, request: HttpRequest, chosen: QuerySet[Invitation]) -> None:
        for invitation in chosen:
            invitations.revoke(invitation, by=cast(User, request.user))
        self.message_user(request, f"{len(chosen)} invitations revoked.", messages.SUCCESS)

    number = column("pk", "invitation", show="#{}".format, ordering="pk")

    @admin.display(description="joined")
    def joined(self, invitation: Any) -> str:
        text = f"{invitation.people} of {invitation.most_people}"
        return listing(Membership, text, invitation__id__exact=invitation.pk)


@admin.register(SamePerson)
class SamePersonAdmin(ReadOnly, ModelAdmin):
    """Accounts that projects linked to one person; administrators may remove a mark of any."""

    actions = ("undo",)
    list_display = ("account", "other", "project", "by", "created_at")
    list_select_related = ("account", "other", "project", "by")
    list_filter = ("project",)
    list_per_page = 50
    search_fields = ("account__username", "other__username")
    fields = list_display
    readonly_fields = ("by", "created_at")

    def has_undo_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    @admin.action(description="Unlink: they are different people", permissions=["undo"])
    def undo(self, request: HttpRequest, chosen: QuerySet[SamePerson]) -> None:
        for link in chosen:
            same_person.undo(link, by=cast(User, request.user))
        self.message_user(request, f"{len(chosen)} marks removed.", messages.SUCCESS)
