"""A line for each request: enough to find out what happened, and nothing about who it was."""

import json

import pytest
from django.urls import reverse

from accounts.models import User

pytestmark = pytest.mark.django_db


def test_a_request_is_one_line_by_the_name_of_its_route_and_never_by_its_path(client, lines):
    reply = client.get(reverse("account_login"), {"next": "/secret/"})
    client.get("/join-me/ada/")
    found, missing = lines
    assert (found["route"], found["method"], found["status"]) == ("account_login", "GET", 200)
    assert found["request"] == reply.headers["X-Request-ID"]
    assert (missing["route"], missing["status"]) == ("none", 404)
    assert found["milliseconds"] > 0
    assert not {"secret", "join-me"} & set(json.dumps(lines).split("/"))
    client.force_login(User.objects.create(username="ada"))
    client.get(reverse("home"))
    assert lines[-1]["statements"] >= 2


def test_an_id_is_taken_only_from_a_proxy_of_the_installation_and_if_it_is_one(client, settings):
    for proxies, given, taken in [
        (0, "0123456789abcdef", False),
        (1, "0123456789abcdef", True),
        (1, "short", False),
        (1, 'forged"\n{"event": "none"}', False),
        (1, "x" * 65, False),
    ]:
        settings.PROXIES = proxies
        reply = client.get(reverse("account_login"), headers={"x-request-id": given})
        assert (reply.headers["X-Request-ID"] == given) is taken, given


def test_an_error_has_its_traceback_and_the_id_of_its_request(client, lines, monkeypatch):
    quoted = ["Ada met Bo"]  # a line of code would be shown

    def broken(*_):
        raise ValueError(*quoted)

    client.raise_request_exception = False
    client.force_login(User.objects.create(username="ada"))
    monkeypatch.setattr("annotation.views.entrance.home.render", broken)
    client.get(reverse("home"))
    error, line = lines[-2:]
    assert "home.py" in error["exception"]
    assert quoted[0] not in error["exception"]
    assert error["request"] == line["request"]
    assert (line["status"], line["level"]) == (500, "error")
