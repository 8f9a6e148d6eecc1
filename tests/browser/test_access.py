"""Pages of errors and of the admin: axe-core finds nothing. And it does find what is wrong."""

from collections.abc import Callable
from unittest.mock import Mock

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.selectors import members
from generation.models import GenerationRun
from tests.browser import access
from tests.browser.house import House
from tests.browser.people import sign_in

# Axe measures with styles of its own, which the policy of the pages forbids.
pytestmark = [
    pytest.mark.browser_context_args(bypass_csp=True),
]


def _run(house: House) -> GenerationRun:
    return GenerationRun.objects.earliest("pk")


# Pages of the admin that are ours, and those to which they lead.
ADMIN: dict[str, Callable[[House], str]] = {
    "index": lambda house: reverse("admin:index"),
    "projects": lambda house: reverse("admin:annotation_project_changelist"),
    "runs": lambda house: reverse("admin:generation_generationrun_changelist"),
    "a run": lambda house: reverse("admin:generation_generationrun_change", args=[_run(house).pk]),
    "people": lambda house: reverse("admin:accounts_user_changelist"),
    "invite": lambda house: reverse("admin:accounts_user_add"),
    "generate": lambda house: reverse("admin:annotation_project_generate", args=[house.project.pk]),
}
# What Django draws itself: cells that are edited in a list, search, filters, breadcrumbs.
OF_DJANGO = ["#result_list td input", "#searchbar", "#changelist-filter", ".breadcrumbs"]


@pytest.mark.parametrize(
    ("error", "heading"),
    [
        (PermissionDenied, "This is not open to you"),
        (Http404, "There is nothing at this address"),
        (RuntimeError, "Something broke on our side"),
    ],
)
def test_axe_finds_nothing_on_pages_of_errors(
    page: Page,
    house: House,
    live_server: LiveServer,
    monkeypatch: pytest.MonkeyPatch,
    error: type[Exception],
    heading: str,
) -> None:
    sign_in(page, house.place("annotator").user, live_server=live_server)
    monkeypatch.setattr(members, "memberships_of", Mock(side_effect=error))
    page.goto("/")

    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    assert access.violations(page) == []


def test_axe_finds_nothing_where_a_page_was_too_old(page: Page, live_server: LiveServer) -> None:
    page.goto("/accounts/login/")
    page.context.clear_cookies()
    page.locator("[name=login]").fill("nobody")
    page.locator("[name=password]").fill("nothing")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="This page was too old to be sent")).to_be_visible()
    assert access.violations(page) == []


@pytest.mark.parametrize("name", ADMIN)
def test_axe_finds_nothing_in_the_admin(
    page: Page, house: House, live_server: LiveServer, name: str
) -> None:
    sign_in(page, house.person("superuser"), live_server=live_server)
    page.goto(ADMIN[name](house))

    assert access.violations(page, but_for=OF_DJANGO) == []


def test_axe_does_find_what_is_wrong(page: Page, live_server: LiveServer) -> None:
    page.goto("/accounts/login/")
    page.locator("label").first.evaluate("node => node.remove()")

    assert any("label" in each for each in access.violations(page))


def test_axe_does_find_what_is_too_pale_in_the_dark_alone(
    page: Page, live_server: LiveServer
) -> None:
    page.goto("/accounts/login/")
    page.add_style_tag(content="@media (prefers-color-scheme: dark) { label { color: #333 } }")

    found = access.violations(page)
    assert found
    assert all("dark" in each and "color-contrast" in each for each in found)


def test_a_trap_is_found(page: Page, live_server: LiveServer) -> None:
    page.goto("/accounts/login/")
    page.locator("[name=password]").evaluate(
        "node => node.addEventListener('keydown', event => event.preventDefault())"
    )

    assert any("not reached" in each and "primary" in each for each in access.walk(page))


def test_a_focus_that_cannot_be_seen_is_found(page: Page, live_server: LiveServer) -> None:
    page.goto("/accounts/login/")
    page.locator(".brand").evaluate("node => (node.style.outline = '0')")

    assert any("no focus" in each and "brand" in each for each in access.walk(page))
