"""Adapter for allauth: sign-up by invitation, limited attempts, known browsers."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.userkit import get_user_by_username
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import limits, names, studies
from accounts.limits import Purpose
from accounts.models import User


class InvitedAccountAdapter(DefaultAccountAdapter):
    """Allows sign-up only with an invitation."""

    error_messages = DefaultAccountAdapter.error_messages | {
        "username_password_mismatch": _("Wrong user name or password. Check both and try again.")
    }

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        invitation = request.session.get(studies.INVITATION)
        return invitation is not None and studies.is_open(invitation)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the normalized name. Raises ValidationError for one like another."""
        name: str = super().clean_username(names.normalize(username), shallow=shallow)
        names.check(name)
        return name

    def is_reauthentication_required(self, **options: Any) -> bool:
        """Ask for no password or code where a person has neither, but signs in by the provider."""
        is_required: bool = super().is_reauthentication_required(**options)
        return is_required and bool(self.get_reauthentication_methods(self.request.user))

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("home")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Check the credentials. Raises TooManyTries before the password is checked.

        A name is also found by another spelling that looks the same, as some keyboards write it.
        """
        name = typed = credentials.get("username", "")
        account = get_user_by_username(typed)
        if account is None and (name := names.normalize(typed)) != typed:
            account = get_user_by_username(name)
        credentials |= {"username": name}
        with limits.sign_in_attempt(Purpose.PASSWORD, account or name, request) as attempt:
            user: User | None = super().authenticate(request, **credentials)
            if user is not None:
                attempt.succeeded()
        return user

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **options)
        limits.remember_browser(response, user)
        return response
