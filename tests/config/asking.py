"""Asks a public installation for a reply of each kind, and prints what stands above it.

For a process of its own, with Django set up as such an installation, and a migrated database.
"""

import json
from typing import Any
from unittest.mock import patch

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from accounts import second_factor
from accounts.models import User
from tests.annotation.filled import filled

HOST = "pawsmith.example"
BY_PROXY = {"HTTP_HOST": HOST, "HTTP_X_FORWARDED_FOR": "192.0.2.7", "HTTP_ACCEPT": "*/*"}


def main() -> None:
    """One object a line: what was asked for, and the reply over HTTPS and over HTTP."""
    # Files come from their sources, which takes no `collectstatic`; what is said of them stays.
    storage = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES["staticfiles"] = {"BACKEND": storage}
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = True
    for name, client, method, address in _kinds():
        print(json.dumps({"name": name, **_told(client, method, address)}))


def _kinds() -> list[tuple[str, Any, str, str]]:
    """What a reply is, who asks for it, how, and where."""
    anonymous, root, addresses = _browser(), _administrator(), _study()
    return [
        ("sign-in", anonymous, "get", "/accounts/login/"),
        ("whoever is sent to sign in", anonymous, "get", "/"),
        ("home", root, "get", "/"),
        *((route, root, "get", address) for route, address in addresses.items()),
        ("the admin", root, "get", "/admin/"),
        ("a list of the admin", root, "get", "/admin/annotation/project/"),
        ("the viewer of the schema", root, "get", "/api/docs/"),
        ("REST", root, "get", "/api/projects/"),
        ("REST without a token", anonymous, "get", "/api/projects/"),
        ("a script", anonymous, "get", "/static/pawsmith/work.js"),
        ("no such page", anonymous, "get", "/nothing/"),
        ("no such address in REST", anonymous, "get", "/api/nothing/"),
        ("a form without its token", _browser(), "post", "/accounts/login/"),
        ("what went wrong", _Unlucky(root), "get", "/"),
    ]


def _browser() -> Client:
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def _administrator() -> Client:
    """Somebody to whom every page opens, with a code given in this session."""
    root, client = User.objects.create_superuser("root"), _browser()
    Authenticator.objects.create(user=root, type=Authenticator.Type.TOTP, data={"secret": ""})
    client.force_login(root)
    request = HttpRequest()
    request.user, request.session = root, client.session
    second_factor.show(request)
    request.session.save()
    return client


def _study() -> dict[str, str]:
    """Where pages of a study with a release are."""
    study = filled()
    cast = study.project.memberships
    cast.create(user=User.objects.get(username="root"), role="manager")
    project, release = [study.project.public_id], study.release.public_id
    pages = ("judge", "overview", "pairs", "people", "project_settings", "history")
    return {route: reverse(route, args=project) for route in pages} | {
        "release": reverse("release", args=[*project, release]),
        "release_file": reverse("release_file", args=[*project, release, "manifest.json"]),
        "api_release_file": f"/api/releases/{release}/files/manifest.json",
    }


class _Unlucky:
    """A browser whose requests all go wrong."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def get(self, *arguments: Any, **options: Any) -> Any:
        with patch("annotation.views.entrance.home.render", side_effect=ValueError):
            return self._client.get(*arguments, **options)


def _told(client: Any, method: str, address: str) -> dict[str, Any]:
    ask = getattr(client, method)
    reply = ask(address, secure=True, HTTP_X_FORWARDED_PROTO="https", **BY_PROXY)
    over_http = ask(address, HTTP_X_FORWARDED_PROTO="http", **BY_PROXY)
    body = b"" if reply.streaming else reply.content
    return {
        "status": reply.status_code,
        "reply": {
            "url": f"https://{HOST}{address}",
            "headers": {name.lower(): value for name, value in reply.headers.items()},
            "cookies": [cookie.OutputString() for cookie in reply.cookies.values()],
            "body": body.decode(errors="replace"),
            "from_http": over_http.headers.get("Location"),
        },
    }
