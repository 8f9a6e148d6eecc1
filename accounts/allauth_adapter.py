"""Adapter for allauth: sign-up by invitation, limited attempts, known browsers."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.userkit import get_user_by_username
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts import known_browsers, limits, sign_up
from accounts.addresses import client_address
from accounts.limits import Purpose
from accounts.models import User


class InvitedAccountAdapter(DefaultAccountAdapter):
    """Allows sign-up only with an invitation."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return sign_up.is_open(request.session)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("home")

    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Check the credentials. Raises TooManyTries before the password is checked."""
        name = credentials.get("username", "")
        with limits.a_try(Purpose.PASSWORD, get_user_by_username(name) or name, request) as this:
            user: User | None = super().authenticate(request, **credentials)
            if user is not None:
                this.succeeded()
        return user

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **options)
        known_browsers.remember(response, user)
        return response
