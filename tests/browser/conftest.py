"""A real Chromium in front of a real server."""

import os
from functools import partial
from pathlib import Path

import pytest
from django.core.cache import cache
from django.urls import reverse

from tests.browser.chromium import chromium
from tests.browser.work_page import await_ready, sign_in
from tests.studies.complete import complete_study

# Playwright's synchronous API runs an event loop, which Django takes for asynchronous code.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    # Chromium's sandbox needs rights that root in a container does not have.
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    return browser_type_launch_args | {"executable_path": chromium(), "args": arguments}


@pytest.fixture(scope="session")
def base_url(live_server):
    return str(live_server.url)


@pytest.fixture
def page(new_page):
    """A page on which a script's error, or a breach of the page's policy, fails the test."""
    page, errors = new_page(), []

    def hear(message):
        if message.type == "error" and "Failed to load resource" not in message.text:
            errors.append(message.text)

    page.on("console", hear)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []


@pytest.fixture
def new_page(browser, base_url):
    """Call it for a page in a browser of its own, with options of Playwright's new_context."""
    contexts = []

    def open_page(**options):
        contexts.append(browser.new_context(base_url=base_url, **options))
        contexts[-1].set_default_timeout(60_000)  # however busy the machine is
        return contexts[-1].new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def clock_page(new_page):
    """A page with a clock that the test can turn: it goes by itself until then."""
    page = new_page()
    page.clock.install()
    return page


@pytest.fixture
def open_checked(new_page):
    # Axe measures with styles of its own, which the policy of the pages forbids.
    return partial(new_page, bypass_csp=True)


@pytest.fixture
def checked_page(open_checked):
    return open_checked()


@pytest.fixture
def signed_in(page, base_url):
    """Call it with a user: returns the page of their browser."""
    return lambda user, page=page: sign_in(page, user, base_url)


@pytest.fixture
def at_work(signed_in, page):
    """Call it with an annotator: returns their page once it takes answers."""

    def open_for(member, kind="judge", page=page):
        signed_in(member.user, page).goto(reverse("work", args=[member.project.public_id, kind]))
        await_ready(page)
        return page

    return open_for


@pytest.fixture(autouse=True)
def no_tries_to_sign_in_yet():
    """Tries are counted in the cache, by address: all tests come from one."""
    cache.clear()


@pytest.fixture
def complete(transactional_db, settings, tmp_path):
    """A complete study. Its pages can be had from right to left, though with English words."""
    settings.LANGUAGES = [*settings.LANGUAGES, ("ar", "العربيّة")]
    settings.RELEASES_DIR = tmp_path / "releases"
    settings.ENDPOINTS_FILE = str(tmp_path / "endpoints.toml")
    Path(settings.ENDPOINTS_FILE).touch()
    return complete_study()
