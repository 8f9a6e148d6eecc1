"""URLs of the account pages: our own, and those pages of allauth that send no mail.

Where passwords are switched off, their pages answer 404; the pages of sign-in and of a one-time
link stay for the provider.
"""

from allauth.account import views as allauth
from django.urls import path, re_path

from accounts import provider_views, views

urlpatterns = [
    path("login/", views.closed_without_passwords(allauth.login), name="account_login"),
    path("logout/", allauth.logout, name="account_logout"),
    path("inactive/", allauth.account_inactive, name="account_inactive"),
    path("signup/", views.gone_without_passwords(allauth.signup), name="account_signup"),
    path("reauthenticate/", allauth.reauthenticate, name="account_reauthenticate"),
    path(
        "password/change/",
        views.gone_without_passwords(allauth.password_change),
        name="account_change_password",
    ),
    path(
        "password/set/",
        views.gone_without_passwords(allauth.password_set),
        name="account_set_password",
    ),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        views.closed_without_passwords(provider_views.OpenedLink.as_view()),
        name="account_reset_password_from_key",
    ),
    path("oidc/", provider_views.connection, name="socialaccount_connections"),
    path("oidc/start/", provider_views.start, name="provider_start"),
    path("oidc/callback/", provider_views.callback, name="provider_callback"),
    path("oidc/signup/", provider_views.sign_up, name="socialaccount_signup"),
    # These replace allauth's, which are included later.
    path("2fa/totp/activate/", views.SetUp.as_view(), name="mfa_activate_totp"),
    path("2fa/recovery-codes/", views.RecoveryCodes.as_view(), name="mfa_view_recovery_codes"),
    path("theme/", views.set_theme, name="set_theme"),
    path("story/hide/", views.hide_story, name="hide_story"),
    path("mails/", views.mails, name="mails"),
    path("tokens/", views.tokens, name="tokens"),
    path("tokens/new/", views.create_token, name="create_token"),
    re_path(r"^tokens/(?P<handle>[0-9a-f]{16})/revoke/$", views.revoke_token, name="revoke_token"),
]
