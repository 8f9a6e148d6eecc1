"""A provider that forges what it says of a person, asked over HTTP by a real server."""

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl

import pytest
import requests
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core.cache import cache

from accounts.models import User
from tests.accounts.provider import FORGED, SETTINGS, Provider


@pytest.fixture
def provider(transactional_db, settings):
    """It serves whatever it is told to; ada is connected with its person."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            form = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            status, content = provider.reply(self.command, self.path, parse_qsl(form))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(content).encode())

        do_POST = do_GET  # noqa: N815 as the server names it

        def log_message(self, *said):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    provider = Provider(f"http://127.0.0.1:{server.server_port}")
    threading.Thread(target=server.serve_forever).start()
    for name, value in (SETTINGS | {"OIDC_SERVER": provider.server}).items():
        setattr(settings, name, value)
    cache.clear()
    ada = User.objects.create_user("ada", email="ada@uni.example")
    SocialAccount.objects.create(user=ada, provider=provider.server, uid="person-1")
    yield provider
    server.shutdown()
    server.server_close()


@pytest.fixture
def session(live_server):
    with requests.Session() as session:
        session.server = live_server.url
        yield session


def press_button(session):
    """Returns the address of the provider that a browser is led to."""
    session.get(f"{session.server}/accounts/login/", timeout=60)
    token = {"csrfmiddlewaretoken": session.cookies[settings.CSRF_COOKIE_NAME]}
    page = session.post(f"{session.server}/accounts/oidc/start/", token, timeout=60).text
    return page.partition('content="0;url=')[2].partition('"')[0].replace("&amp;", "&")


def come_back(session, address):
    return session.get(address, timeout=60, allow_redirects=False)


def is_in(session):
    home = session.get(session.server, timeout=60, allow_redirects=False)
    return home.status_code == 200


def test_an_honest_sign_in_is_taken(provider, session):
    assert come_back(session, provider.authorize(press_button(session))).status_code == 302
    assert is_in(session)


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_sign_in_is_refused(provider, session, name, caplog):
    for attribute, value in FORGED[name].items():
        setattr(provider, attribute, value)
    reply = come_back(session, provider.authorize(press_button(session)))
    assert (reply.status_code, is_in(session)) == (401, False)
    [reason] = [message for message in caplog.messages if "was refused: " in message]
    print(f"{name}: {reason}")


def test_a_state_that_was_used_is_refused(provider, session, caplog):
    address = provider.authorize(press_button(session))
    assert come_back(session, address).status_code == 302
    token = {"csrfmiddlewaretoken": session.cookies[settings.CSRF_COOKIE_NAME]}
    session.post(f"{session.server}/accounts/logout/", token, timeout=60)
    assert (come_back(session, address).status_code, is_in(session)) == (401, False)
    print(f"a used state: {caplog.messages[-1]}")


@pytest.mark.parametrize("verified", [False, None, "false", 1, {}])
def test_an_address_that_is_not_verified_opens_no_account(provider, session, settings, verified):
    settings.OIDC_TRUSTS_MAIL, provider.sub = True, "person-2"
    provider.information = {"email": "ada@uni.example", "email_verified": verified}
    reply = come_back(session, provider.authorize(press_button(session)))
    assert (reply.status_code, is_in(session)) == (403, False)
    assert SocialAccount.objects.count() == 1
    print(f"email_verified is {verified!r}: no account")
