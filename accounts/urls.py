"""Addresses of the pages of accounts that are not allauth's."""

from django.urls import path, re_path

from accounts.views import tokens

urlpatterns = [
    path("tokens/", tokens.tokens, name="tokens"),
    path("tokens/new/", tokens.create_token, name="create_token"),
    re_path(r"^tokens/(?P<handle>[0-9a-f]{16})/revoke/$", tokens.revoke_token, name="revoke_token"),
]
