"""Every page in every state, for everybody: with the Tab key, with axe-core, in other languages.

Axe looks at the wide page in the light and at the narrow one in the dark. The keyboard must get
to whatever can be used, show where it is, and get away again.
"""

from collections.abc import Iterator

import pytest
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests.browser import access, every_page
from tests.browser.conftest import without_errors
from tests.browser.every_page import FIRST_STATES, STATES, State
from tests.browser.house import ROLES, House

# Pages that are not ours to mend, or that no link leads to.
NOT_CRAWLED = {
    "api_docs": "the viewer of drf-spectacular",
}


@pytest.fixture(scope="module")
def kept_browser(browser: Browser, base_url: str) -> Iterator[BrowserContext]:
    """One for all these pages, which so need not load anew what they share."""
    # Axe measures with styles of its own, which the policy of the pages forbids.
    context = browser.new_context(base_url=base_url, bypass_csp=True)
    yield context
    context.close()


@pytest.fixture
def page(kept_browser: BrowserContext) -> Iterator[Page]:
    with without_errors(kept_browser):
        page = kept_browser.new_page()
        yield page
        page.evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
        page.close()
        kept_browser.clear_cookies()


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
def test_everybody_can_use_it(
    page: Page, house: House, state: State, live_server: LiveServer
) -> None:
    every_page.open_(page, state, house, live_server=live_server)

    assert access.walk(page) == []
    assert access.violations(page) == []


@pytest.fixture
def arabic(settings: Settings) -> None:
    """Pages can be had from right to left, though nobody has translated their words yet."""
    settings.LANGUAGES = [*settings.LANGUAGES, ("ar", "العربيّة")]


@pytest.mark.usefixtures("arabic")
@pytest.mark.parametrize("state", FIRST_STATES, ids=lambda state: state.name)
def test_a_page_holds_german_words_and_has_a_mirror_image(
    page: Page, house: House, state: State, live_server: LiveServer
) -> None:
    speak(page, "de", live_server=live_server)
    every_page.open_(page, state, house, live_server=live_server)
    expect(page.locator("html")).to_have_attribute("lang", "de")
    assert _width_in(page, 360) <= 360

    speak(page, "ar", live_server=live_server)
    page.reload()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    for width in (1280, 390):
        assert _width_in(page, width) <= width
        brand = page.locator(".brand").bounding_box()
        assert brand is not None
        assert brand["x"] + brand["width"] > width * 0.9


def speak(page: Page, language: str, *, live_server: LiveServer) -> None:
    """Choose a language as the foot of a page does: by a cookie."""
    cookie = {"name": "django_language", "value": language, "url": live_server.url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]


def _width_in(page: Page, width: int) -> int:
    page.set_viewport_size({"width": width, "height": 700})
    found: int = page.evaluate("document.documentElement.scrollWidth")
    return found
