"""URLs of the account pages that allauth does not provide."""

from django.urls import path, re_path

from accounts.views import tokens
from accounts.views.second_factor import RecoveryCodes, SetUp

urlpatterns = [
    # These replace allauth's, which are included later.
    path("2fa/totp/activate/", SetUp.as_view(), name="mfa_activate_totp"),
    path("2fa/recovery-codes/", RecoveryCodes.as_view(), name="mfa_view_recovery_codes"),
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/new/", tokens.create_token, name="create_token"),
    re_path(r"^tokens/(?P<handle>[0-9a-f]{16})/revoke/$", tokens.revoke_token, name="revoke_token"),
]
