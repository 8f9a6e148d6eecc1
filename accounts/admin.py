"""Accounts in the admin: invitations, password links, import, export, tokens, audit log."""

from operator import not_
from typing import TYPE_CHECKING, Any, cast

from allauth.account.admin import EmailAddress
from allauth.mfa.admin import Authenticator
from allauth.socialaccount.admin import SocialAccount, SocialApp, SocialToken
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UsernameField
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.cache import add_never_cache_headers

from accounts import audit, second_factor, services
from accounts.admin_tables import CheckedResource, ExchangeAdmin
from accounts.models import AccessToken, AuditEntry, User
from accounts.studies import CannotLeave
from common.admin import LargeTable, ModelAdmin, OffersDeletion, ReadOnly, column
from common.forms import ModelForm

if TYPE_CHECKING:
    AnyUserAdmin = UserAdmin[User]
else:
    AnyUserAdmin = UserAdmin

admin.site.site_header = admin.site.site_title = "Pawsmith"
admin.site.index_title = "Administration"

# The pages of email addresses would accept addresses to which nothing is sent.
admin.site.unregister(EmailAddress)
# Users set up two-factor authentication themselves; an admin action resets it.
admin.site.unregister(Authenticator)
# People connect the provider themselves; it is in the settings, and no tokens of it are kept.
admin.site.unregister([SocialAccount, SocialApp, SocialToken])

LINK_TEXT = "Each link works once: it opens a page on which that person chooses a password."
OWN_FACTOR = "Turn off your own two-factor authentication on its page, with a code."
CONNECTS = "Each link works once: it opens a page on which that person connects the provider."
NONE_CAN_SIGN_IN = "None of these people can sign in."


class InvitationForm(ModelForm[User]):
    """Creates an account without a password; the person chooses one through a link."""

    class Meta:
        model = User
        fields = ["username", "first_name", "last_name", "email"]
        field_classes = {"username": UsernameField}

    def save(self, commit: bool = True) -> User:
        self.instance.set_unusable_password()
        return super().save(commit)


class PeopleResource(CheckedResource):
    """People by user name. Passwords and permissions are neither imported nor exported."""

    class Meta(CheckedResource.Meta):
        model = User
        import_id_fields: tuple[str, ...] = ("username",)
        fields: tuple[str, ...] = ("username", "first_name", "last_name", "email")

    def init_instance(self, row: Any = None) -> User:
        person = User()
        person.set_unusable_password()
        return person

    def before_save_instance(self, instance: User, row: Any, **options: Any) -> None:
        if instance.pk and not _may_touch(options["user"], instance):
            raise ValidationError("Only an administrator can change people who have rights here.")


class PeopleExport(PeopleResource):
    class Meta(PeopleResource.Meta):
        seen = ("is_active", "is_simulated", "date_joined", "last_login")
        fields = (*PeopleResource.Meta.fields, *seen)


@admin.register(User)
class PersonAdmin(OffersDeletion, ExchangeAdmin, AnyUserAdmin):
    """Only superusers can change staff accounts or grant permissions."""

    resource_classes = (PeopleResource,)
    export_classes = (PeopleExport,)
    add_form = InvitationForm
    add_form_template = "admin/accounts/user/invite.html"
    list_display = (
        "username",
        "name",
        "is_active",
        "is_staff",
        "creates_projects",
        "is_simulated",
        "can_sign_in",
        "last_login",
    )
    list_filter = ("is_active", "is_staff", "may_create_projects", "is_simulated")
    search_fields = ("username", "first_name", "last_name", "email")
    list_per_page = 50
    readonly_fields = ("is_simulated", "last_login", "date_joined", "erased_at")
    fieldsets = (
        (None, {"fields": ("username", "password", "is_simulated")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        (
            "Projects",
            {
                "fields": ("may_create_projects",),
                "description": "Who creates a project manages it. Runs and data of other projects "
                "stay closed to them.",
            },
        ),
        (
            "Rights in the whole installation",
            {
                "fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions"),
                "description": "Annotators need none of these: projects list their own people.",
            },
        ),
        ("Dates", {"fields": ("last_login", "date_joined", "erased_at")}),
    )
    add_fieldsets = ((None, {"fields": InvitationForm.Meta.fields}),)
    actions = ("make_links", "let_create", "no_longer_create", "forget_second_factor", "erase")
    name = column("get_full_name", "name", ordering="last_name")
    can_sign_in = column("has_usable_password", "has a password", boolean=True)

    @admin.display(description="creates projects", ordering="may_create_projects")
    def creates_projects(self, person: User) -> str:
        if person.may_create_projects is None:
            return "as usual"
        return "yes" if person.may_create_projects else "no"

    @admin.action(description="Allow creating projects", permissions=["change"])
    def let_create(self, request: HttpRequest, people: QuerySet[User]) -> None:
        self._decide_creating(request, people, allowed=True)

    @admin.action(description="Disallow creating projects", permissions=["change"])
    def no_longer_create(self, request: HttpRequest, people: QuerySet[User]) -> None:
        self._decide_creating(request, people, allowed=False)

    def _decide_creating(
        self, request: HttpRequest, people: QuerySet[User], *, allowed: bool
    ) -> None:
        changeable = [person for person in people if self.has_change_permission(request, person)]
        change = "may create projects" if allowed else "may no longer create projects"
        for person in changeable:
            person.may_create_projects = allowed
            person.save(update_fields=["may_create_projects"])
            self.log_change(request, person, f"The person {change}.")
        text = f"{len(changeable)} people {change}."
        self.message_user(request, text, messages.SUCCESS if changeable else messages.WARNING)

    @admin.action(description="Create links to choose a password", permissions=["change"])
    def make_links(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        """Create a link for each active person whom the user may change."""
        active = people.filter(is_active=True, is_simulated=False)
        changeable = [person for person in active if self.has_change_permission(request, person)]
        if not changeable:
            self.message_user(request, NONE_CAN_SIGN_IN, messages.WARNING)
            return None
        return self._handout(request, "Links to choose a password", changeable)

    @admin.action(description="Reset two-factor authentication", permissions=["erase"])
    def forget_second_factor(self, request: HttpRequest, people: QuerySet[User]) -> None:
        by = cast(User, request.user)
        if people.contains(by):
            self.message_user(request, OWN_FACTOR, messages.ERROR)
        forgotten = sum(second_factor.forget(person, by=by) for person in people.exclude(pk=by.pk))
        text = f"Two-factor authentication was reset for {forgotten} people."
        self.message_user(request, text, messages.SUCCESS if forgotten else messages.WARNING)

    @admin.action(description="Erase for good", permissions=["erase"])
    def erase(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse | None:
        if "confirmed" not in request.POST:
            return self._ask_to_erase(request, people)
        for person in people.filter(erased_at=None):
            former = person.get_username()
            try:
                services.erase(person, by=cast(User, request.user))
            except CannotLeave as error:
                self.message_user(request, f"{former} was not erased: {error}", messages.ERROR)
            else:
                self.message_user(request, f"The account is now called {person.username}.")
        return None

    def has_erase_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def response_add(
        self, request: HttpRequest, obj: User, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the password link of the new account instead of its form."""
        if "_popup" in request.POST:
            return super().response_add(request, obj, post_url_continue)
        return self._handout(request, "Account created", [obj])

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and _may_touch(request.user, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_touch(request.user, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        if request.user.is_superuser:
            return self.readonly_fields
        rights = ("is_staff", "is_superuser", "groups", "user_permissions")
        return (*self.readonly_fields, *rights)

    def _ask_to_erase(self, request: HttpRequest, people: QuerySet[User]) -> HttpResponse:
        context = self.admin_site.each_context(request) | {
            "title": "Erase for good",
            "people": people.filter(erased_at=None),
            "chosen": ACTION_CHECKBOX_NAME,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/accounts/user/erase.html", context)

    def _handout(self, request: HttpRequest, title: str, people: list[User]) -> HttpResponse:
        """Render a page that is shown once; its links are not stored, not even in a cookie."""
        links = [(person, services.password_link(user=person)) for person in people]
        context = self.admin_site.each_context(request) | {
            "title": title,
            "text": LINK_TEXT if settings.PASSWORDS else CONNECTS,
            "made": [(person, request.build_absolute_uri(path)) for person, path in links],
            "opts": self.opts,
        }
        response = TemplateResponse(request, "admin/accounts/user/handout.html", context)
        add_never_cache_headers(response)
        return response


@admin.register(AccessToken)
class AccessTokenAdmin(ReadOnly, LargeTable):
    """Tokens are listed and revoked here; their users create them."""

    actions = ("delete_selected",)
    list_display = ("token_key", "user", "scope", "name", "created", "expiry", "is_alive")
    list_select_related = ("user",)
    list_filter = ("scope",)
    search_fields = ("token_key", "user__username", "name")
    fields = ("token_key", "user", "scope", "name", "created", "expiry")
    ordering = ("-created",)
    has_delete_permission = LargeTable.has_delete_permission
    is_alive = column("is_over", "is valid", show=not_, boolean=True)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, ModelAdmin):
    """Entries are written by the actions that they record."""

    list_display = ("at", "by", "what", "kind", "details")
    list_select_related = ("by",)
    list_filter = (("at", admin.DateFieldListFilter), "act", "kind")
    search_fields = ("by__username", "public_id", "project")
    search_help_text = "A user name, or an id in full or in part"
    fields = ("at", "by", "what", "kind", "public_id", "project", "details")
    list_per_page = 50
    show_full_result_count = False

    @admin.display(description="act", ordering="act")
    def what(self, entry: AuditEntry) -> str:
        return audit.name_of(entry)


def _may_touch(asker: Any, person: User | None) -> bool:
    """Return whether `asker` may change `person`; erased accounts cannot be changed.

    Superusers may change anyone, others only people who are neither staff nor superusers.
    """
    if person is not None and person.erased_at is not None:
        return False
    ordinary = person is None or not (person.is_staff or person.is_superuser)
    return asker.is_superuser or ordinary
