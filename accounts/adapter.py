"""How allauth behaves here."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.urls import reverse

from accounts import sign_up


class InvitedAccountAdapter(DefaultAccountAdapter):
    """Nobody signs up unasked: managers make the accounts, or the links that open this door."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return sign_up.is_open(request.session)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("home")
