"""Who has a keyboard alone gets everywhere on each page, sees where they are, and gets away."""

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.browser import access, every_page
from tests.browser.every_page import STATES, State
from tests.browser.house import House

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_the_tab_key_gets_everywhere(
    page: Page, house: House, state: State, live_server: LiveServer
) -> None:
    every_page.open_(page, state, house, live_server=live_server)

    assert access.walk(page) == []


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
