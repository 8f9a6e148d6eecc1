"""Setup of two-factor authentication: allauth's pages, with a way back to the wanted page."""

from typing import Any
from urllib.parse import urlencode

from allauth.account.utils import get_next_redirect_url
from allauth.mfa.recovery_codes.views import ViewRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.forms import Form
from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache

from accounts import second_factor


@method_decorator(never_cache, name="dispatch")
class SetUp(ActivateTOTPView):
    """Records the code entered at setup as a code entered in this session."""

    def form_valid(self, form: Form) -> HttpResponse:
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
