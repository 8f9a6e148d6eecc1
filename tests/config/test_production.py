"""A public installation starts only when it is safe, and says what is wrong otherwise."""

import pytest

from tests.config.production import python, settings


def test_django_finds_nothing_amiss() -> None:
    checked = python("manage.py", "check", "--deploy", "--fail-level", "WARNING")

    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    ("environment", "complaint"),
    [
        ({"PAWSMITH_SECRET_KEY": "short"}, "PAWSMITH_SECRET_KEY"),
        ({"PAWSMITH_SECRET_KEY": "a" * 60}, "PAWSMITH_SECRET_KEY"),
        ({"PAWSMITH_DEBUG": "true"}, "PAWSMITH_DEBUG"),
        ({"PAWSMITH_ADDRESS": "http://pawsmith.example"}, "has to speak https"),
    ],
)
def test_it_refuses_to_start_when_it_is_not_safe(
    environment: dict[str, str], complaint: str
) -> None:
    refused = python("-c", "import config.settings", **environment)

    assert refused.returncode != 0
    assert "ImproperlyConfigured" in refused.stderr
    assert complaint in refused.stderr


def test_cookies_are_bound_to_the_host_and_to_https() -> None:
    cookies = settings(
        *(f"{kind}_COOKIE_{what}" for kind in ("SESSION", "CSRF") for what in ("NAME", "SECURE")),
        "LANGUAGE_COOKIE_NAME",
        "LANGUAGE_COOKIE_SECURE",
        "SESSION_COOKIE_DOMAIN",
        "SESSION_COOKIE_PATH",
    )

    assert cookies == {
        "SESSION_COOKIE_NAME": "__Host-session",
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_NAME": "__Host-csrf",
        "CSRF_COOKIE_SECURE": True,
        "LANGUAGE_COOKIE_NAME": "__Host-language",
        "LANGUAGE_COOKIE_SECURE": True,
        "SESSION_COOKIE_DOMAIN": None,
        "SESSION_COOKIE_PATH": "/",
    }


def test_a_header_of_the_sender_is_believed_only_behind_a_proxy_of_ours() -> None:
    behind = settings("SECURE_PROXY_SSL_HEADER", "ALLAUTH_TRUSTED_PROXY_COUNT")
    alone = settings("SECURE_PROXY_SSL_HEADER", "ALLAUTH_TRUSTED_PROXY_COUNT", PAWSMITH_PROXIES="0")

    assert behind == {
        "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
        "ALLAUTH_TRUSTED_PROXY_COUNT": 1,
    }
    assert alone == {"SECURE_PROXY_SSL_HEADER": None, "ALLAUTH_TRUSTED_PROXY_COUNT": 0}
