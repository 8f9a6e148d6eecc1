"""URLs of the account pages that allauth does not provide."""

from django.urls import path, re_path

from accounts import views

urlpatterns = [
    # These replace allauth's, which are included later.
    path("2fa/totp/activate/", views.SetUp.as_view(), name="mfa_activate_totp"),
    path("2fa/recovery-codes/", views.RecoveryCodes.as_view(), name="mfa_view_recovery_codes"),
    path("tokens/", views.tokens, name="tokens"),
    path("tokens/new/", views.create_token, name="create_token"),
    re_path(r"^tokens/(?P<handle>[0-9a-f]{16})/revoke/$", views.revoke_token, name="revoke_token"),
]
