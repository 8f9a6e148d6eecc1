"""What people write stays text: on no page does any of five hundred payloads become more.

Each is in some texts; with PAWSMITH_TEST_PAYLOADS=all (`scripts/bench load payloads`) in every.
"""

import os
import re
import sqlite3
from pathlib import Path
from urllib.parse import quote, urlsplit

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.urls import reverse

from tests.browser.every_page import FIRST_STATES, STATES
from tests.browser.work_page import sign_in
from tests.thorough.pages import payloads

ALL = list(payloads.payloads())
EVERYWHERE = os.environ.get("PAWSMITH_TEST_PAYLOADS") == "all"
ROUNDS = [ALL[first : first + 50] for first in range(0, len(ALL), 50)] if EVERYWHERE else [ALL]
# None of these names another host, as links on such pages may.
ASKED = quote(" ".join(payload.text for payload in ALL[:8]))
# What pages in these states show is shown by no other.
BESIDES = {
    "draft_import",
    "recruited",
    "withdrawn_release",
    "failed_preview",
    "failed_release",
    "disputed",
    "with_model_tasks",
}
# Addresses that lead to no page: half a link, and what follows from ASKED.
NOWHERE = re.compile("/take-part/$|/nothing/|/(accounts|admin)/login/.")
LOOK = Path(__file__).with_suffix(".js").read_text()
# Before any script of the page: what its policy forbids is reported, and `ran` can be called.
REPORT = """
addEventListener("securitypolicyviolation", event =>
    report(`forbidden: ${event.effectiveDirective} ${event.blockedURI}`))
ran = number => report(`ran: ${number}`)
"""


class Watch:
    """Sees what a browser is made to do that our pages do not do by themselves."""

    def __init__(self, page, address):
        self.page, self.host = page, urlsplit(address).netloc
        self.found, self.shown = [], set()
        page.expose_binding("report", lambda source, what: self.found.append(what))
        page.add_init_script(REPORT)
        for event in ("dialog", "console", "request", "response"):
            page.on(event, getattr(self, event))

    def read(self):
        """Look at a page that has been opened, and at which payloads it shows as text."""
        self.page.wait_for_load_state("load")
        foreign, shown = self.page.evaluate(LOOK)
        self.found += [f"{self.page.url}: foreign: {each[:200]}" for each in foreign]
        self.shown |= {int(number) for number in re.findall(r"p(\d{3})\.", shown)}

    def console(self, message):
        if "Content Security Policy" in message.text:
            self.found.append(f"console: {message.text}")

    def dialog(self, dialog):
        self.found.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def request(self, request):
        address = urlsplit(request.url)
        if address.scheme in {"http", "https"} and address.netloc != self.host:
            self.found.append(f"request: {request.url}")

    def response(self, response):
        path = urlsplit(response.url).path
        if response.status >= 500 or (response.status == 404 and not NOWHERE.match(path)):
            self.found.append(f"status {response.status}: {path}")


@pytest.fixture
def watch(new_page, base_url):
    return Watch(new_page(), base_url)


def admin_pages():
    """Each list of the admin, and of its first row each page that there is."""
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        if row := model._default_manager.order_by("pk").first():
            for page in ("change", "history", "delete"):
                yield reverse(f"{name}_{page}", args=[row.pk])


def crawl(watch, study, address):
    """Open every page; stops wherever the study has been changed for one, which is undone later."""
    page, arguments = watch.page, dict(study.arguments)
    unchanged = sqlite3.connect(":memory:")
    connection.connection.backup(unchanged)
    states = {*FIRST_STATES.values(), *(each for each in STATES.values() if each.given in BESIDES)}
    for state in sorted(states, key=lambda state: (state.given != "", state.name)):
        page.goto("about:blank")  # the page before asks for nothing more
        unchanged.backup(connection.connection)
        study.arguments.update(arguments)
        for person in filter(None, study.people.values()):
            person.refresh_from_db()
        if state.given:
            state.prepare(study)
            yield
        state.open(page, study, address)
        watch.read()
        page.context.clear_cookies()
    sign_in(page, study.person("superuser"), address)
    signing_in = ("/accounts/login/", "/accounts/reauthenticate/", "/admin/login/")
    lists = [f"admin:{each}_changelist" for each in ("accounts_user", "annotation_project")]
    asked = [f"/nothing/{ASKED}/", *(f"{each}?next={ASKED}" for each in signing_in)]
    for each in (*admin_pages(), *asked, *(f"{reverse(name)}?q={ASKED}" for name in lists)):
        page.goto(each)
        watch.read()


@pytest.mark.parametrize("texts", ROUNDS, ids=lambda texts: f"from {texts[0].number}")
def test_no_payload_does_anything_on_any_page(watch, complete, base_url, texts):
    payloads.furnish(complete)
    into = payloads.fill(complete, texts, whole=EVERYWHERE)
    for _ in crawl(watch, complete, base_url):
        for name, numbers in payloads.fill(complete, texts, whole=EVERYWHERE).items():
            into[name] |= numbers
    assert watch.found == []
    assert {payload.number for payload in texts} - watch.shown == set()
    unseen = {name for name, numbers in into.items() if not numbers & watch.shown}
    unseen -= set(payloads.COLUMNS["on no page"])
    assert not unseen, " ".join(sorted(unseen))


def test_control_payloads_that_are_not_escaped_are_found(watch):
    """With no policy they run and call elsewhere; under that of our pages they are reported."""
    policy = Client().get(reverse("account_login")).headers["Content-Security-Policy"]
    wanted = re.compile("<img src=(x onerror=|//)")
    raw = "\n".join(each.text for each in ALL if wanted.search(each.text))

    def serve(route):
        own = {"Content-Security-Policy": policy} if "policy" in route.request.url else {}
        body = f"<!DOCTYPE html><meta charset=utf-8><title>x</title>{raw}"
        route.fulfill(body=body, content_type="text/html", headers=own)

    def is_found(*kinds):
        while not all(any(each.startswith(kind) for each in watch.found) for kind in kinds):
            watch.page.wait_for_timeout(100)  # handlers of events run meanwhile

    watch.page.route("**/control*", serve)
    watch.page.goto("/control")
    is_found("ran: ", "dialog: ", "request: ")
    watch.found.clear()
    watch.page.goto("/control?policy")
    watch.read()
    is_found("forbidden: script-src", "console: ")
    assert any(": foreign: img onerror" in each for each in watch.found)
    assert not [each for each in watch.found if each.startswith(("ran", "dialog"))]
