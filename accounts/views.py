"""Pages on which users manage their API tokens, mails and two-factor authentication."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from allauth.account.utils import get_next_redirect_url
from allauth.mfa.recovery_codes.views import ViewRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import get_language, gettext_lazy, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import handed_out, second_factor, studies
from accounts import tokens as services
from accounts.models import AccessToken, Event, User

UNPROCESSABLE = 422
SCOPES = {
    AccessToken.Scope.RELEASES: gettext_lazy("Read releases and their files"),
    AccessToken.Scope.READ: gettext_lazy("Read everything that your account can read"),
    AccessToken.Scope.MANAGE: gettext_lazy("Full access (same as your account)"),
}
DAYS = (7, 30, 90, 365)


class Request(HttpRequest):
    user: User


class TokenForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Token name"),
        max_length=100,
        help_text=gettext_lazy("Shown in the list of your tokens."),
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("Permissions"),
        choices=list(SCOPES.items()),
        initial=AccessToken.Scope.READ,
        help_text=gettext_lazy("A token never has more permissions than your account."),
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Expires after"),
        choices=lambda: [(days, ngettext("%d day", "%d days", days) % days) for days in DAYS],
        coerce=int,
        initial=90,
    )


def for_readers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return 404 to users with nothing to read over REST (staff excepted); disable caching."""

    @login_required
    @never_cache
    @wraps(view)
    def gate(request: Request, **options: Any) -> HttpResponse:
        user = request.user
        if not (user.is_staff or user.is_superuser or studies.are_read_by(user)):
            raise Http404
        return view(request, **options)

    return gate


def gone_without_passwords(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer 404 where passwords are switched off."""

    @wraps(view)
    def gate(request: HttpRequest, **options: Any) -> HttpResponse:
        if not settings.PASSWORDS:
            raise Http404
        return view(request, **options)

    return gate


def closed_without_passwords(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Show a page that asks for a password, which takes none where passwords are switched off."""
    taking = gone_without_passwords(view)

    @wraps(view)
    def gate(request: HttpRequest, **options: Any) -> HttpResponse:
        return (taking if request.method == "POST" else view)(request, **options)

    return gate


@login_required
@require_POST
def set_theme(request: Request) -> HttpResponse:
    """Store the colours that the person wants, for all their browsers, and return to the page."""
    theme, page = request.POST.get("theme", ""), request.POST.get(REDIRECT_FIELD_NAME, "")
    if theme not in User.Theme.values:
        raise Http404
    request.user.theme = theme
    request.user.save(update_fields=["theme"])
    is_ours = url_has_allowed_host_and_scheme(
        page, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return redirect(page if is_ours else "home")


@login_required
@require_POST
def hide_story(request: Request) -> HttpResponse:
    """Store that the person no longer wants to see what home tells newcomers."""
    request.user.story_hidden_at = timezone.now()
    request.user.save(update_fields=["story_hidden_at"])
    return redirect("home")


@for_readers
@require_safe
def tokens(request: Request) -> HttpResponse:
    handed_out.forget(request)
    return _page(request, TokenForm())


@for_readers
@require_http_methods(["GET", "HEAD", "POST"])
def create_token(request: Request) -> HttpResponse:
    """Create a token, or show the one that this session keeps."""
    if request.method != "POST":
        return _show_token(request)
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=UNPROCESSABLE)
    token = services.create(user=request.user, by=request.user, **form.cleaned_data)
    return handed_out.keep(request, token, form.cleaned_data["scope"])


def _show_token(request: Request) -> HttpResponse:
    if not (kept := handed_out.kept(request)):
        return redirect("tokens")
    token, scope = kept
    first = "api_releases" if scope == AccessToken.Scope.RELEASES else "api_projects"
    example = request.build_absolute_uri(reverse(first))
    return _page(request, TokenForm(), token=token, scope=scope, example=example)


@for_readers
@require_POST
def revoke_token(request: Request, handle: str) -> HttpResponse:
    services.revoke(user=request.user, handle=handle)
    messages.success(request, _("Token revoked."))
    return redirect("tokens")


@method_decorator(never_cache, name="dispatch")
class SetUp(ActivateTOTPView):
    """Records the code entered at setup as a code entered in this session."""

    def form_valid(self, form: forms.Form) -> HttpResponse:
        reply: HttpResponse = super().form_valid(form)
        second_factor.show(self.request)
        return reply

    def get_success_url(self) -> str:
        page: str = super().get_success_url()
        wanted = get_next_redirect_url(self.request)
        return f"{page}?{urlencode({REDIRECT_FIELD_NAME: wanted})}" if wanted else page


@method_decorator(never_cache, name="dispatch")
class RecoveryCodes(ViewRecoveryCodesView):
    """Links to the page that the user wanted to open."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | {"wanted": get_next_redirect_url(self.request)}


def _page(request: Request, form: TokenForm, *, status: int = 200, **more: str) -> HttpResponse:
    scopes = {scope.value: label for scope, label in SCOPES.items()}
    lines = [(token, scopes.get(token.scope)) for token in services.of_user(request.user)]
    context = more | {"lines": lines, "form": form}
    return render(request, "accounts/tokens.html", context, status=status)


class MailForm(forms.Form):
    mail_address = forms.EmailField(
        label=gettext_lazy("Email address"),
        required=False,
        help_text=gettext_lazy("Used for these mails only."),
    )
    mails = forms.MultipleChoiceField(
        label=gettext_lazy("Send me mail about"),
        choices=Event.Kind.choices,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )

    def clean(self) -> None:
        """Refuse events without an address."""
        if self.cleaned_data.get("mails") and not self.cleaned_data.get("mail_address", True):
            self.add_error("mail_address", _("Enter the address to which mail is sent."))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mails(request: Request) -> HttpResponse:
    """Show or store the choice. Raises Http404 where no mail is sent."""
    if not settings.SENDS_MAIL:
        raise Http404
    user, is_manager = request.user, studies.are_managed_by(request.user)
    stored = {"mail_address": user.mail_address, "mails": user.mails}
    form = MailForm(request.POST if request.method == "POST" else None, initial=stored)
    if request.method == "POST" and is_manager and form.is_valid():
        user.mails = form.cleaned_data["mails"]
        user.mail_address = form.cleaned_data["mail_address"]
        user.mail_language = get_language() or ""
        user.save(update_fields=["mails", "mail_address", "mail_language"])
        messages.success(request, _("Saved."))
        return redirect("mails")
    status = UNPROCESSABLE if request.method == "POST" else 200
    context = {"form": form, "is_manager": is_manager}
    return render(request, "accounts/mails.html", context, status=status)
