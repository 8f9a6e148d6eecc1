"""Finds the account of a person who signs in by the provider (docs/operator/security.md)."""

import logging
from typing import Any

from allauth.account.forms import UserTokenForm
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base import AuthProcess
from allauth.socialaccount.signals import social_account_added
from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts import audit
from accounts.audited_acts import Act
from accounts.models import User

# In the session: the key of the one-time link that was opened last (provider_views.OpenedLink).
LINK_KEY = "link_key"

logger = logging.getLogger(__name__)


class Adapter(DefaultSocialAccountAdapter):
    """Accounts come from invitations; people who have one connect it once."""

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the provider of the settings; there are none in the database."""
        app = SocialApp(
            provider="openid_connect",
            # Identifiers of people mean nothing at another provider.
            provider_id=settings.OIDC_SERVER,
            name=settings.OIDC_NAME,
            client_id=settings.OIDC_CLIENT_ID,
            secret=settings.OIDC_CLIENT_SECRET,
        )
        is_meant = provider in (None, app.provider, app.provider_id)
        return [app] if settings.OIDC_SERVER and is_meant else []

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Connect the account of a link or a mail address; refuse strangers without invitation."""
        addresses = [address.email for address in sociallogin.email_addresses]
        # Neither the session nor the database keeps them.
        sociallogin.email_addresses, sociallogin.token = [], None
        if sociallogin.is_existing or sociallogin.state["process"] == AuthProcess.CONNECT:
            return
        user = _account_of_link(request, sociallogin) or _account_of_mail(addresses)
        if user is not None:
            with transaction.atomic():
                sociallogin.connect(request, user)
        elif not self.is_open_for_signup(request, sociallogin):
            logger.info("Sign-in by the provider: no account, and no open invitation.")
            context = {"contact": settings.CONTACT}
            page = render(request, "accounts/no_account.html", context, status=403)
            raise ImmediateHttpResponse(page)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: object,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: dict[str, Any] | None = None,
    ) -> None:
        """Log why a sign-in failed; the page that people see does not say it."""
        if request.GET.get("error") == "access_denied":
            messages.info(request, _("You cancelled the sign-in."))
            raise ImmediateHttpResponse(redirect("account_login"))
        reason = exception or request.GET.get("error") or "its state is unknown, used or too old"
        logger.warning("Sign-in by the provider was refused: %s", reason)


def _account_of_link(request: HttpRequest, sociallogin: SocialLogin) -> User | None:
    """Return the account of the one-time link that was opened in this session."""
    if not (link := sociallogin.state.get("link")):
        return None
    key = request.session.get(LINK_KEY, "")
    form = UserTokenForm(data={"uidb36": link, "key": key})
    return form.reset_user if form.is_valid() and form.reset_user.is_active else None


def _account_of_mail(addresses: list[str]) -> User | None:
    """Return the only account to which an administrator gave one of these verified addresses.

    Never one with rights in the whole installation, nor one that another person of the provider
    has: addresses are given to new people when their former holders leave.
    """
    if not settings.OIDC_TRUSTS_MAIL:
        return None
    people = User.objects.filter(is_active=True, is_staff=False, is_superuser=False)
    for address in addresses:
        holders = people.filter(email__iexact=address)[:2]
        if len(holders) == 1 and not _is_connected(holders[0]):
            return holders[0]
    return None


def _is_connected(user: User) -> bool:
    connections = SocialAccount.objects.filter(user=user, provider=settings.OIDC_SERVER)
    return bool(connections.exists())


@receiver(social_account_added)
def _record(sociallogin: SocialLogin, **_about: object) -> None:
    user = sociallogin.user
    audit.record_alone(Act.PROVIDER_CONNECTED, by=user, on=user)
