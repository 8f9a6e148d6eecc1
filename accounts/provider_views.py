"""Pages of the provider: to it, back from it, the user name of a new account, one's connection."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.account.views import PasswordResetFromKeyView
from allauth.decorators import rate_limit
from allauth.socialaccount import views as allauth
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from requests import RequestException

from accounts import audit
from accounts.audited_acts import Act
from accounts.provider import Handshake
from accounts.provider_adapter import LINK_KEY
from accounts.views import Request

View = Callable[..., HttpResponse]
limited: Callable[[View], View] = rate_limit(action="provider")
confirmed: Callable[[View], View] = reauthentication_required


def by_provider(view: View) -> View:
    """Answer 404 where no provider is set."""

    @wraps(view)
    def gate(request: HttpRequest, **options: Any) -> HttpResponse:
        if not settings.OIDC_SERVER:
            raise Http404
        return view(request, **options)

    return never_cache(gate)


class OpenedLink(PasswordResetFromKeyView):
    """The page of a one-time link. The session keeps its key, for a sign-in that begins there."""

    def get_form_kwargs(self) -> dict[str, Any]:
        """Called for links that work, after a person of another account was signed out."""
        kwargs: dict[str, Any] = super().get_form_kwargs()
        self.request.session[LINK_KEY] = kwargs["temp_key"]
        return kwargs


@by_provider
@require_POST
@limited
def start(request: HttpRequest) -> HttpResponse:
    """Lead to the provider by a page, as the content security policy keeps forms from doing so."""
    provider = get_adapter().get_provider(request, settings.OIDC_SERVER)
    try:
        reply = provider.redirect_from_request(request)
    except (OAuth2Error, RequestException) as error:
        refusal: HttpResponse = render_authentication_error(request, provider, exception=error)
        return refusal
    return render(request, "accounts/to_provider.html", {"address": reply.url})


@by_provider
@require_safe
def callback(request: HttpRequest) -> HttpResponse:
    """Sign in the person whom the provider sends back."""
    handshake = Handshake(request, settings.OIDC_SERVER)
    reply: HttpResponse = OAuth2CallbackView.adapter_view(handshake)(request)
    return reply


sign_up = by_provider(allauth.signup)


@by_provider
@login_required
@confirmed
@require_http_methods(["GET", "HEAD", "POST"])
def connection(request: Request) -> HttpResponse:
    """Show whether the account is connected; a POST disconnects it."""
    connections = SocialAccount.objects.filter(user=request.user, provider=settings.OIDC_SERVER)
    if request.method != "POST":
        context = {"is_connected": connections.exists()}
        return render(request, "accounts/connection.html", context)
    if not request.user.has_usable_password():
        messages.error(request, _("Choose a password first: without one you couldn’t sign in."))
    else:
        with transaction.atomic():
            number, _each = connections.delete()
            if number:
                audit.record(Act.PROVIDER_DISCONNECTED, by=request.user, on=request.user)
        messages.success(request, _("Disconnected."))
    return redirect("socialaccount_connections")
