"""A real Chromium in front of a real server."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, WebError
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from tests.browser.chromium import chromium
from tests.browser.house import House
from tests.browser.kept import Kept

# Playwright's synchronous API runs an event loop, which Django takes for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"

# Chromium's sandbox needs rights that root in a container does not have.
LAUNCH_ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    own = {"executable_path": chromium(), "args": LAUNCH_ARGUMENTS}
    return browser_type_launch_args | own


@pytest.fixture(scope="session")
def base_url(live_server: LiveServer) -> str:
    """Pages are named by their path: `page.goto("/")`."""
    return str(live_server.url)


@contextmanager
def without_errors(context: BrowserContext) -> Iterator[None]:
    """A script's error in this browser, or a breach of a page's policy, fails the test."""
    errors: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            errors.append(message.text)

    def catch(error: WebError) -> None:
        errors.append(str(error.error))

    context.on("console", hear)
    context.on("weberror", catch)
    yield
    context.remove_listener("console", hear)
    context.remove_listener("weberror", catch)
    assert errors == []


@pytest.fixture
def context(context: BrowserContext) -> Iterator[BrowserContext]:
    """A browser in which nothing goes wrong unseen."""
    with without_errors(context):
        yield context


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """Where a house is kept, so that each process builds one only."""
    return Kept(tmp_path_factory.mktemp("house"))


@pytest.fixture
def house(transactional_db: None, kept: Kept, settings: Settings, tmp_path: Path) -> House:
    """A study in which everything has happened once, with somebody of each role."""
    settings.RELEASES_DIR = tmp_path / "releases"
    return kept.house(settings.RELEASES_DIR)


@pytest.fixture(params=["light", "dark"])
def colours(request: pytest.FixtureRequest, page: Page) -> Literal["light", "dark"]:
    """What the person prefers: a test that asks for it runs once in light and once in dark."""
    page.emulate_media(color_scheme=request.param)
    return request.param  # type: ignore[no-any-return]
