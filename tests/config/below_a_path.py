"""Prints what an installation below a path replies, a JSON object for each address that it names.

For a process of its own, with the settings of such an installation and a migrated database.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.http import HttpResponseBase
from django.test import Client
from django.urls import resolve
from django.urls.exceptions import Resolver404

from accounts.models import User
from config.wsgi import below
from tests.config.public_replies import HOST, browser_of, pages_of_a_study

PATH = settings.ADDRESS.path
ORIGIN = settings.ADDRESS.origin
# The values of attributes that begin as addresses of this host do; of inputs, only of those that
# say which page is next.
ADDRESSES = re.compile(
    rf"""\s(?:(?!value)[\w:-]+|name="next"\ value)="(?:{ORIGIN})?(/[^"/][^"#]*|/)["#]"""
)
HEADERS = {
    "Host": HOST,
    "X-Forwarded-For": "192.0.2.7",
    "X-Forwarded-Proto": "https",
    "Accept": "text/html",
}


def main() -> None:
    # Static files come from their sources, so that the test needs no `collectstatic`.
    storage = "django.contrib.staticfiles.storage.StaticFilesStorage"
    settings.STORAGES["staticfiles"] = {"BACKEND": storage}
    settings.WHITENOISE_AUTOREFRESH = settings.WHITENOISE_USE_FINDERS = True
    root = User.objects.create_superuser("root")
    call_command("check", deploy=True, fail_level="WARNING")
    starts = [f"{PATH}/", *pages_of_a_study(root), f"{PATH}/admin/"]
    for client in (Client(), browser_of(root)):
        for reply in replies(as_served(client), starts):
            print(json.dumps(reply))


def as_served(client: Client) -> Client:
    """The client of the application as a web server runs it."""
    handler = client.handler
    application = below(PATH, lambda environ, _start: handler(environ))
    client.handler = lambda environ: application(environ, lambda *_: None)
    return client


def replies(client: Client, starts: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the replies of all views that are reached from some addresses, one of each."""
    queue, visited = [(address, "") for address in starts], set()
    while queue:
        address, page = queue.pop(0)
        view = view_of(address)
        if view in visited:
            continue
        visited.add(view)
        reply = client.get(address, headers=HEADERS | {"Referer": ORIGIN + page})
        addresses = addresses_in(reply)
        queue += [(named, address) for named in addresses if named.startswith(PATH)]
        yield {
            "address": address,
            "view": view,
            "status": reply.status_code,
            "addresses": addresses,
            "headers": list(reply.headers),
            "cookies": [cookie.OutputString() for cookie in reply.cookies.values()],
        }


def view_of(address: str) -> str:
    """Return the name of the view, which the tables of the admin share; else the address."""
    try:
        name = resolve(address.partition("?")[0].removeprefix(PATH)).view_name
    except Resolver404:  # as those of static files
        return address
    return "admin:" + name.rpartition("_")[2] if name.startswith("admin:") else name


def addresses_in(reply: HttpResponseBase) -> list[str]:
    """Return the addresses of this host that a reply names."""
    if location := reply.headers.get("Location"):
        return [location.removeprefix(ORIGIN)]
    if not reply.headers["Content-Type"].startswith("text/html"):
        return []
    return list(dict.fromkeys(ADDRESSES.findall(reply.content.decode())))
