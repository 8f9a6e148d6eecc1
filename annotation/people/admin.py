"""Admin pages of members, invitations and the qualification set."""

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin
from django.db.models import Count, QuerySet
from django.http import HttpRequest

from accounts.models import User
from annotation.errors import Refused
from annotation.models import (
    Invitation,
    Membership,
    QualificationAnswer,
    QualificationAttempt,
    QualificationPair,
    Role,
)
from annotation.people.services import members
from annotation.projects.services import projects
from annotation.work.kinds import KINDS
from common.admin import (
    ByServices,
    LargeTable,
    ModelAdmin,
    ReadOnly,
    TabularInline,
    excerpt,
    link,
    listing,
)

if TYPE_CHECKING:
    MembershipForm = forms.ModelForm[Membership]
else:
    MembershipForm = forms.ModelForm

ROLES = (
    "Annotators work blind. Managers and researchers read everything of the project, also over "
    "REST: a person who is to judge without bias should be an annotator only."
)


class MemberForm(MembershipForm):
    """A member's role and the kinds of work that they may do, saved through the services."""

    kinds = forms.MultipleChoiceField(
        choices=[(name, kind.title) for name, kind in KINDS.items()],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        label="work",
    )

    class Meta:
        model = Membership
        fields = ("project", "user", "role")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial["kinds"] = self.instance.kinds if self.instance.pk else list(KINDS)

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if self.instance.pk:
            try:
                members.require_manager(self.instance, values.get("role", ""))
            except Refused as refusal:
                self.add_error("role", str(refusal))
        return values


@admin.register(Membership)
class MembershipAdmin(ByServices):
    """What a member may do in a project. Managers do the rest on the pages of the project."""

    form = MemberForm
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
    steps = ("welcomed_at", "consented_at", "qualified_at", "paused_at")
    fieldsets = (
        (None, {"fields": ("project", "user", "joined_at")}),
        ("Role", {"fields": ("role", "kinds"), "description": ROLES}),
        ("Steps", {"fields": steps}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        rows: QuerySet[Membership] = super().get_queryset(request)
        return rows.prefetch_related("duties")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Lock project and user of an existing membership."""
        own = ("joined_at", *self.steps)
        return (*own, "project", "user") if obj else own

    def save_model(self, request: HttpRequest, obj: Membership, form: Any, change: bool) -> None:
        """Write through the services, as the pages do."""
        by, kinds = cast(User, request.user), form.cleaned_data["kinds"]
        if change:
            members.change(obj, role=obj.role, kinds=kinds, by=by)
        else:
            role = Role(obj.role)
            obj.pk = projects.add_member(obj.project, obj.user, role=role, kinds=kinds, by=by).pk

    @admin.display(description="work")
    def work(self, member: Membership) -> str:
        return ", ".join(str(KINDS[kind].title) for kind in member.kinds)

    @admin.display(description="paused", boolean=True)
    def is_paused(self, member: Membership) -> bool:
        return member.paused_at is not None

    @admin.display(description="simulated", boolean=True)
    def is_simulated(self, member: Membership) -> bool:
        return member.user.is_simulated


@admin.register(Invitation)
class InvitationAdmin(ReadOnly, ModelAdmin):
    """Links are created on the people page of a project, the only place to show them."""

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

    @admin.display(description="invitation", ordering="pk")
    def number(self, invitation: Invitation) -> str:
        return f"#{invitation.pk}"

    @admin.display(description="joined")
    def joined(self, invitation: Any) -> str:
        text = f"{invitation.people} of {invitation.most_people}"
        return listing(Membership, text, invitation__id__exact=invitation.pk)


@admin.register(QualificationPair)
class QualificationPairAdmin(ReadOnly, ModelAdmin):
    """Pairs with known answers that newcomers judge before they get work."""

    list_display = ("position", "project", "first", "second", "label")
    list_select_related = ("project",)
    list_filter = ("project", "label")
    list_per_page = 50
    ordering = ("project__name", "position")
    search_fields = ("public_id", "sentence1", "sentence2")
    readonly_fields = ("public_id",)

    @admin.display(description="sentence 1")
    def first(self, pair: QualificationPair) -> str:
        return excerpt(pair.sentence1)

    @admin.display(description="sentence 2")
    def second(self, pair: QualificationPair) -> str:
        return excerpt(pair.sentence2)


class AnswerInline(ReadOnly, TabularInline):
    model = QualificationAnswer
    fields = ("pair", "label")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("pair")


@admin.register(QualificationAttempt)
class QualificationAttemptAdmin(ReadOnly, LargeTable):
    inlines = (AnswerInline,)
    list_display = ("of_member", "number", "passed", "share", "started_at", "finished_at")
    list_select_related = ("membership__user", "membership__project")
    list_filter = ("membership__project", "passed", ("finished_at", admin.EmptyFieldListFilter))
    search_fields = ("membership__user__username",)
    search_help_text = "A person"

    @admin.display(description="person")
    def of_member(self, attempt: QualificationAttempt) -> str:
        return link(attempt.membership)


@admin.register(QualificationAnswer)
class QualificationAnswerAdmin(ReadOnly, LargeTable):
    list_display = ("of_attempt", "of_pair", "label")
    list_select_related = ("attempt__membership__user", "attempt__membership__project", "pair")
    list_filter = ("attempt__membership__project",)
    search_fields = ("attempt__membership__user__username",)
    search_help_text = "A person"

    @admin.display(description="attempt")
    def of_attempt(self, answer: QualificationAnswer) -> str:
        return link(answer.attempt)

    @admin.display(description="pair")
    def of_pair(self, answer: QualificationAnswer) -> str:
        return link(answer.pair)
