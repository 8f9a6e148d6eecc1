"""axe-core finds nothing on any page, in any state, in light and dark, wide and narrow."""

import pytest
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser import access, every_page
from tests.browser.every_page import STATES, State
from tests.browser.house import ROLES, House

# Axe measures with styles of its own, which the policy of the pages forbids.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser_context_args(bypass_csp=True),
]

# Pages that are not ours to mend, or that no link leads to.
NOT_CRAWLED = {
    "api_docs": "the viewer of drf-spectacular",
}


def test_every_page_that_somebody_can_open_is_crawled(house: House) -> None:
    opened = {name for role in ROLES for name in _pages_for(role, house)}

    assert "judge" in opened
    assert opened - NOT_CRAWLED.keys() - {state.route for state in STATES} == set()


def _pages_for(role: str, house: House) -> list[str]:
    client = Client(raise_request_exception=False)
    if user := house.people[role]:
        client.force_login(user)
    return [name for name in every_page.routes() if _is_page(client, house.address(name))]


def _is_page(client: Client, address: str) -> bool:
    reply = client.get(address, follow=True)
    whole = b"<!DOCTYPE html>" in getattr(reply, "content", b"")
    return reply.status_code == 200 and whole and reply.request["PATH_INFO"] == address


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_axe_finds_nothing(page: Page, house: House, state: State, live_server: LiveServer) -> None:
    every_page.open_(page, state, house, live_server=live_server)

    assert access.violations(page) == []


def test_axe_does_find_what_is_wrong(page: Page, live_server: LiveServer) -> None:
    page.goto("/accounts/login/")
    page.locator("label").first.evaluate("node => node.remove()")

    assert any("label" in each for each in access.violations(page))
