"""A public installation starts only when it is safe, and says what is wrong otherwise."""

import os
import re
import runpy
from unittest import mock

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import get_resolver, path

from accounts.models import User
from common import bodies
from common.bodies import SMALL
from config import gunicorn
from config.settings.installation import Address
from tests.config.installation import PUBLIC, ROOT, python, settings

FORM = "multipart/form-data; boundary=x"
SECURED = {
    "SESSION_COOKIE_NAME": "__Host-session",
    "SESSION_COOKIE_SECURE": True,
    "SESSION_COOKIE_DOMAIN": None,
    "SESSION_COOKIE_PATH": "/",
    "CSRF_COOKIE_NAME": "__Host-csrf",
    "CSRF_COOKIE_SECURE": True,
    "LANGUAGE_COOKIE_NAME": "__Host-language",
    "LANGUAGE_COOKIE_SECURE": True,
    "KNOWN_BROWSER_COOKIE": "__Host-known",
    "STAFF_NEEDS_SECOND_FACTOR": True,
    "SECURE_PROXY_SSL_HEADER": ["HTTP_X_FORWARDED_PROTO", "https"],
    "ALLAUTH_TRUSTED_PROXY_COUNT": 1,
}


def read(**environment):
    """The settings of a public installation, some of its variables replaced."""
    with mock.patch.dict(os.environ, PUBLIC | environment, clear=True):
        return runpy.run_path(str(ROOT / "config/settings/installation.py"))


def test_django_finds_no_security_problem():
    checked = python("manage.py", "check", "--deploy", "--fail-level", "WARNING")
    assert checked.returncode == 0, checked.stderr


@pytest.mark.parametrize(
    ("environment", "reason"),
    [
        ({"PAWSMITH_SECRET_KEY": "short"}, "PAWSMITH_SECRET_KEY"),
        ({"PAWSMITH_SECRET_KEY": "a" * 60}, "PAWSMITH_SECRET_KEY"),
        ({"PAWSMITH_DEBUG": "true"}, "PAWSMITH_DEBUG"),
        ({"PAWSMITH_ADDRESS": "http://pawsmith.example"}, "must use https"),
    ],
)
def test_it_refuses_to_start_when_it_is_not_safe(environment, reason):
    with pytest.raises(ImproperlyConfigured, match=reason):
        read(**environment)


def test_cookies_second_factor_and_proxy_are_secured_in_public_and_relaxed_on_ones_own_machine():
    private = {"PAWSMITH_PROXIES": "0", "PAWSMITH_ADDRESS": "http://localhost"}
    assert settings(*SECURED) == SECURED
    assert settings(*list(SECURED)[-4:], **private) == {
        "KNOWN_BROWSER_COOKIE": "known",
        "STAFF_NEEDS_SECOND_FACTOR": False,
        "SECURE_PROXY_SSL_HEADER": None,
        "ALLAUTH_TRUSTED_PROXY_COUNT": 0,
    }


def test_an_https_address_is_public_and_http_answers_on_the_same_machine_only():
    for text in ("https://pawsmith.example", "https://pawsmith.example:8443/"):
        address = Address.parse(text)
        assert (address.is_public, address.hosts) == (True, ["pawsmith.example"])
        assert (address.origin, address.path) == (text.rstrip("/"), "")
    for text in ("http://localhost", "http://127.0.0.1:8000", "http://[::1]:8000"):
        address = Address.parse(text)
        assert (address.is_public, address.hosts) == (False, ["localhost", "127.0.0.1", "[::1]"])
    below = Address.parse("https://uni.example/~lab/pawsmith/")
    assert (below.origin, below.path) == ("https://uni.example", "/~lab/pawsmith")


def test_any_other_address_is_refused_with_the_reason():
    for text, reason in [
        ("", "not an address"),
        ("pawsmith.example", "not an address"),
        ("ftp://pawsmith.example", "not an address"),
        ("https://", "not an address"),
        ("https://pawsmith.example/?study", "more than a host and a path"),
        ("https://pawsmith.example/a/../b", "more than a host and a path"),
        ("https://ada@pawsmith.example", "more than a host and a path"),
        ("http://pawsmith.example", "must use https"),
        ("http://10.0.0.7", "must use https"),
        ("https://*", "not the name"),
        ("https://localhost", "not the name"),
    ]:
        with pytest.raises(ValueError, match=reason):
            Address.parse(text)


def test_only_views_that_declare_it_accept_large_bodies(db):
    signed_in = Client()
    signed_in.force_login(User.objects.create(username="ada"))
    for client in (None, signed_in):
        for address in ("/accounts/login/", "/api/runs/", "/nothing/"):
            reply = send(address, SMALL + 1, FORM, client=client)
            assert (reply.status_code, "larger than" in reply.text) == (413, True)
        with pytest.raises(AssertionError, match="it was read"):
            send("/accounts/login/", SMALL, FORM, client=client)
    for length in ("", "nonsense", "-1"):
        assert send("/accounts/login/", length, "application/json").status_code < 500


def test_limits_of_the_proxy_are_those_of_the_views():
    caddy = (ROOT / "deploy" / "Caddyfile").read_text()
    assert f"request_buffers {SMALL // 1_000}KB" in caddy
    assert f"max_buffer_size {SMALL // 1_000}KB" in caddy
    uploads, others = (int(size) for size in re.findall(r"max_size (\d+)MB", caddy))
    views = {pattern.callback for pattern in all_patterns()}
    sizes = sorted({bodies.largest_of(view) for view in views})
    assert sizes[-1] < uploads * 1_000_000
    assert sizes[-2] < others * 1_000_000


def test_the_proxy_gives_up_idle_connections_before_gunicorn_closes_them():
    caddy = (ROOT / "deploy" / "Caddyfile").read_text()
    [seconds] = re.findall(r"keepalive (\d+)s", caddy)
    assert int(seconds) + 10 <= gunicorn.keepalive


def all_patterns(within=None):
    for pattern in (within or get_resolver()).url_patterns:
        yield from all_patterns(pattern) if hasattr(pattern, "url_patterns") else [pattern]


class Unread:
    def read(self, *_):
        raise AssertionError("it was read")

    readline = read


def send(address, length, kind, *, client=None):
    body = {"CONTENT_LENGTH": str(length), "CONTENT_TYPE": kind, "wsgi.input": Unread()}
    return (client or Client()).generic("POST", address, **body)


def how_commits_end(_request):
    asked = {"sqlite": "PRAGMA synchronous", "postgresql": "SHOW synchronous_commit"}
    with connection.cursor() as cursor:
        cursor.execute(asked[connection.vendor])
        return HttpResponse(str(cursor.fetchone()[0]))


urlpatterns = [path("how/", how_commits_end)]


@pytest.mark.both_engines
@pytest.mark.django_db
@pytest.mark.urls(__name__)
def test_a_request_waits_until_its_commit_is_on_disk(client):
    assert client.get("/how/").text == {"sqlite": "2", "postgresql": "on"}[connection.vendor]


def test_no_database_url_can_turn_that_off():
    url = "postgres://u:p@localhost/d?options=-c%20synchronous_commit%3Doff"
    options = read(DATABASE_URL=url)["DATABASES"]["default"]["OPTIONS"]
    assert options["options"].endswith("-c synchronous_commit=on")
