"""Whatever people write stays text: on no page does any of five hundred payloads become more.

Here each stands in some of the texts. With PAWSMITH_TEST_PAYLOADS=all each stands in every text, in
rounds of fifty (`scripts/bench load payloads`).
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from urllib.parse import quote

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Browser, Page, Route
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from annotation.models import Adjudication, Project, Release, Reopening
from generation.models import Sentence
from tests.browser import attack, every_page
from tests.browser.every_page import FIRST_STATES, STATES, nothing
from tests.browser.house import House
from tests.browser.payloads import Payload, payloads
from tests.browser.people import sign_in
from tests.browser.watch import Watch, watching

ALL = payloads()
EVERYWHERE = os.environ.get("PAWSMITH_TEST_PAYLOADS") == "all"
EACH = 50 if EVERYWHERE else len(ALL)
ROUNDS = [ALL[first : first + EACH] for first in range(0, len(ALL), EACH)]
# None of these names another host, as links on such pages may.
ASKED = 8
OF_ROWS = ("change", "history", "delete")
# What these pages show is shown by no other.
BESIDES = (
    *("a withdrawn release", "a draft that could not be looked at", "a release that failed"),
    "a pair on which too few agree",
)


@pytest.fixture
def browsing(browser: Browser, live_server: LiveServer) -> Iterator[tuple[Page, Watch]]:
    """A page of a browser that is watched."""
    context = browser.new_context(base_url=live_server.url)
    with watching(context, live_server.url) as watch:
        yield context.new_page(), watch
    context.close()


def admin_pages() -> Iterator[str]:
    """Each list of the admin, and of its first row each page that there is."""
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield reverse(f"{name}_changelist")
        if row := model._default_manager.order_by("pk").first():
            for page in OF_ROWS:
                yield reverse(f"{name}_{page}", args=[row.pk])


def crawl(page: Page, watch: Watch, house: House, live_server: LiveServer) -> Iterator[None]:
    """Every page that somebody can open; stops wherever the house has been changed for one."""
    arguments = dict(house.arguments)
    states = [*FIRST_STATES, *(state for state in STATES if state.name in BESIDES)]
    for state in sorted(states, key=lambda state: state.given is not nothing):
        # What one state makes, another makes again.
        house.arguments.update(arguments)
        Release.objects.exclude(public_id=arguments["public_id"]).delete()
        for made in (Authenticator, Reopening, Adjudication):
            made.objects.all().delete()
        if state.given is not nothing:
            # What is done to a release finds its files by its version.
            Release.objects.update(version="1.0")
            state.given(house)
            yield
        unchanged = replace(state, given=nothing)
        every_page.open_(page, unchanged, house, live_server=live_server)
        watch.look(page)
        page.context.clear_cookies()
    sign_in(page, house.person("superuser"), live_server=live_server)
    for address in (*admin_pages(), *asked_with_payloads()):
        page.goto(address)
        watch.look(page)


def asked_with_payloads() -> Iterator[str]:
    """Addresses that come back on their own pages."""
    asked = quote(" ".join(payload.text for payload in ALL[:ASKED]))
    yield f"/nothing/{asked}/"
    for page in ("/accounts/login/", "/accounts/reauthenticate/", "/admin/login/"):
        yield f"{page}?next={asked}"
    for model in (User, Sentence, Project):
        listed = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        yield f"{listed}?q={asked}"


@pytest.mark.parametrize("texts", ROUNDS, ids=lambda texts: f"from {texts[0].number}")
def test_no_payload_does_anything_on_any_page(
    browsing: tuple[Page, Watch], house: House, live_server: LiveServer, texts: list[Payload]
) -> None:
    page, watch = browsing
    attack.furnish(house)
    into = attack.fill(house, texts, whole=EVERYWHERE)

    for _ in crawl(page, watch, house, live_server):
        for name, numbers in attack.fill(house, texts, whole=EVERYWHERE).items():
            into[name] |= numbers

    assert watch.found == []
    assert {payload.number for payload in texts} - watch.shown == set()
    unseen = {name for name, numbers in into.items() if not numbers & watch.shown}
    assert unseen - attack.NOWHERE == set()


def serve(page: Page, body: str, *, policy: str = "") -> None:
    """Open a page with this body, and with the policy of our pages where one is given."""
    headers = {"Content-Security-Policy": policy} if policy else {}

    def answer(route: Route) -> None:
        whole = f"<!DOCTYPE html><meta charset=utf-8><title>x</title>{body}"
        route.fulfill(body=whole, content_type="text/html", headers=headers)

    page.route("**/control", answer)
    page.goto("/control")
    page.wait_for_timeout(1500)
    page.unroute("**/control")


def policy_of_our_pages() -> str:
    return str(Client().get(reverse("account_login")).headers["Content-Security-Policy"])


def raw(wanted: Callable[[str], bool]) -> str:
    """Some payloads as they are, each in an element of its own."""
    return "\n".join(f"<p>{each.text}</p>" for each in ALL if wanted(each.text))


def test_control_what_is_not_escaped_runs_and_is_found(browsing: tuple[Page, Watch]) -> None:
    page, watch = browsing

    serve(page, raw(lambda text: "<img src=x onerror=" in text))

    assert any(" ran: " in each for each in watch.found)
    assert any(each.startswith("dialog") for each in watch.found)


@pytest.mark.django_db
def test_control_under_our_policy_what_is_not_escaped_is_reported(
    browsing: tuple[Page, Watch],
) -> None:
    page, watch = browsing

    serve(page, raw(lambda text: "<img src=x onerror=" in text), policy=policy_of_our_pages())
    watch.look(page)

    assert not any(" ran: " in each or each.startswith("dialog") for each in watch.found)
    assert any(" forbidden: script-src" in each for each in watch.found)
    assert any(each.startswith("console: ") for each in watch.found)
    assert any(": amiss: img onerror" in each for each in watch.found)


def test_control_a_call_elsewhere_is_found(browsing: tuple[Page, Watch]) -> None:
    page, watch = browsing

    serve(page, raw(lambda text: text.startswith("<img src=//")))

    assert any(each.startswith("request: ") for each in watch.found)


def test_the_payloads_are_five_hundred_texts_each_with_its_mark() -> None:
    assert len({payload.text for payload in ALL}) == 500
    assert all(payload.text.endswith(payload.mark) for payload in ALL)
    assert payloads() == ALL
