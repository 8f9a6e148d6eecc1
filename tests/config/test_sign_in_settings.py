"""Settings of sign-in that would lock everybody out, or trust an unprotected provider."""

import os
import runpy
from unittest import mock

import pytest
from django.core.exceptions import ImproperlyConfigured

from tests.config.installation import PUBLIC, ROOT

PROVIDER = {
    "PAWSMITH_OIDC_SERVER": "https://login.uni.example",
    "PAWSMITH_OIDC_CLIENT_ID": "pawsmith",
    "PAWSMITH_OIDC_CLIENT_SECRET": "a-secret",
    "PAWSMITH_OIDC_NAME": "Example University",
}


def read(**environment):
    with mock.patch.dict(os.environ, PUBLIC | environment, clear=True):
        return runpy.run_path(str(ROOT / "config/settings/provider.py"))


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({"PAWSMITH_PASSWORDS": "off"}, "set PAWSMITH_OIDC_SERVER"),
        (PROVIDER | {"PAWSMITH_OIDC_CLIENT_SECRET": ""}, "set PAWSMITH_OIDC_CLIENT_SECRET too"),
        (PROVIDER | {"PAWSMITH_OIDC_SERVER": "http://login.uni.example"}, "https://"),
        (PROVIDER | {"PAWSMITH_OIDC_SERVER": ""}, "CLIENT_ID, .*NAME is set without a provider"),
        (
            {
                **PROVIDER,
                "PAWSMITH_OIDC_SERVER": "https://uni.example/.well-known/openid-configuration",
            },
            "PAWSMITH_OIDC_SERVER=https://uni.example$",
        ),
    ],
)
def test_it_refuses_to_start(environment, reason):
    with pytest.raises(ImproperlyConfigured, match=reason):
        read(**environment)


def test_passwords_are_on_unless_they_are_switched_off():
    assert read(PAWSMITH_PASSWORDS="")["PASSWORDS"]
    assert not read(**PROVIDER, PAWSMITH_PASSWORDS="off")["PASSWORDS"]
