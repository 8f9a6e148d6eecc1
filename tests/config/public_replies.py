"""Prints the replies of a public installation to requests of each kind, a JSON object a line.

For a process of its own, with the settings of such an installation and a migrated database.
"""

import json
from unittest.mock import patch

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse

from accounts import second_factor
from accounts.models import User
from annotation.models import Role
from annotation.projects.services import projects
from tests.annotation.filled import filled

HOST = "pawsmith.example"
BY_PROXY = {"HTTP_HOST": HOST, "HTTP_X_FORWARDED_FOR": "192.0.2.7", "HTTP_ACCEPT": "*/*"}


def main() -> None:
    # Static files come from their sources, so that the test needs no `collectstatic`.
    storage = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES["staticfiles"] = {"BACKEND": storage}
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = True
    anonymous, root = browser(), User.objects.create_superuser("root")
    administrator = browser_of(root)
    show(anonymous, "/accounts/login/")
    show(anonymous, "/")
    show(anonymous, "/api/projects/")
    show(anonymous, "/static/pawsmith/work.js")
    show(anonymous, "/nothing/")
    show(browser(), "/accounts/login/", method="post")  # without a CSRF token
    for address in ["/", "/admin/", "/api/docs/", "/api/projects/", *pages_of_a_study(root)]:
        show(administrator, address)
    with patch("annotation.people.views.home.render", side_effect=ValueError):
        show(administrator, "/", name="an internal error")


def show(client: Client, address: str, *, method: str = "get", name: str = "") -> None:
    ask = getattr(client, method)
    over_http = ask(address, HTTP_X_FORWARDED_PROTO="http", **BY_PROXY)
    reply = ask(address, secure=True, HTTP_X_FORWARDED_PROTO="https", **BY_PROXY)
    shown = {
        "name": name or f"{method} {address}",
        "status": reply.status_code,
        "headers": {key.lower(): value for key, value in reply.headers.items()},
        "cookies": [cookie.OutputString() for cookie in reply.cookies.values()],
        "http redirects to": over_http.headers.get("Location"),
    }
    print(json.dumps(shown))


def browser() -> Client:
    return Client(enforce_csrf_checks=True, raise_request_exception=False)


def browser_of(user: User) -> Client:
    """A session in which the second factor has been given."""
    client = browser()
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": ""})
    client.force_login(user)
    request = HttpRequest()
    request.user, request.session = user, client.session
    second_factor.show(request)
    request.session.save()
    return client


def pages_of_a_study(manager: User) -> list[str]:
    study = filled()
    kinds = study.project.kinds
    projects.add_member(study.project, manager, role=Role.MANAGER, kinds=kinds)
    project, release = study.project.public_id, study.release.public_id
    return [
        reverse("work", args=[project, "judge"]),
        reverse("overview", args=[project]),
        reverse("release_file", args=[project, release, "manifest.json"]),
        f"/api/releases/{release}/files/manifest.json",
    ]
