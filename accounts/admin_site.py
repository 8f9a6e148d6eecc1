"""The admin site: it requires two-factor authentication on public installations."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest, PermissionDenied
from django.db import DataError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts import second_factor

View = Callable[..., Any]


class GuardedAdminSite(AdminSite):
    """Uses the sign-in and password pages of allauth, where attempts are limited.

    Most tables let people delete one row at a time: of many, the database might refuse some.
    """

    def __init__(self, name: str = "admin") -> None:
        super().__init__(name)
        self.disable_action("delete_selected")

    def index(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> TemplateResponse:
        """Show the tables that people edit by hand, and fold the others."""
        apps = self.get_app_list(request)
        tables = {
            "app_list": _apps_with(apps, _is_edited),
            "only_read": _apps_with(apps, lambda table: not _is_edited(table)),
        }
        return super().index(request, tables | (extra_context or {}))

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        return super().admin_view(_refusing_bad_values(view), cacheable)

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and _is_proved(request)

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        address = get_next_redirect_url(request) or _own_path(request)
        if not request.user.is_authenticated:
            return redirect_to_login(address)
        if not super().has_permission(request):
            raise PermissionDenied
        if _is_proved(request):
            return redirect(address)
        return _redirect_to_second_factor(request, address)

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return redirect("account_change_password")


def _apps_with(apps: list[Any], belongs: Callable[[Any], bool]) -> list[Any]:
    listed = [app | {"models": list(filter(belongs, app["models"]))} for app in apps]
    return [app for app in listed if app["models"]]


def _is_edited(table: Any) -> bool:
    return any(table["perms"].get(act) for act in ("add", "change", "delete"))


def _refusing_bad_values(view: View) -> View:
    """Answer 400 to keys and filters that no column can hold; Django lets some end in 500."""

    @wraps(view)
    def view_or_refusal(request: HttpRequest, *args: Any, **options: Any) -> Any:
        try:
            response = view(request, *args, **options)
            # Widgets look up the chosen rows when the page is rendered.
            if isinstance(response, SimpleTemplateResponse):
                response.render()
        except (IncorrectLookupParameters, OverflowError, DataError) as error:
            raise BadRequest(str(error)) from error
        except ValueError as error:
            # Django and the driver have no type of their own for such values. Any other ValueError
            # is a defect, which must end in 500 and be reported.
            if not _is_about_a_column(error):
                raise
            raise BadRequest(str(error)) from error
        return response

    return view_or_refusal


def _is_about_a_column(error: ValueError) -> bool:
    """Whether a model field, or the driver for a text with NUL, could not take a value."""
    text = str(error)
    return text.startswith("Field '") or "NUL (0x00)" in text


def _own_path(request: HttpRequest) -> str:
    """Return the requested path, or the index if the sign-in page itself was requested."""
    is_door = request.path == reverse("admin:login")
    return reverse("admin:index") if is_door else request.get_full_path()


def _is_proved(request: HttpRequest) -> bool:
    return not settings.STAFF_NEEDS_SECOND_FACTOR or second_factor.is_confirmed(request)


def _redirect_to_second_factor(request: HttpRequest, address: str) -> HttpResponse:
    if second_factor.is_set_up(request.user):
        message, page = (
            _("Enter a code from your authenticator app to open the administration."),
            "mfa_reauthenticate",
        )
    else:
        message = _("The administration requires two-factor authentication. Set it up here.")
        page = "mfa_activate_totp"
    messages.info(request, message)
    return redirect(f"{reverse(page)}?{urlencode({REDIRECT_FIELD_NAME: address})}")
