"""How allauth behaves here."""

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class ClosedAccountAdapter(DefaultAccountAdapter):
    """Nobody signs up unasked: managers make the accounts."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False
