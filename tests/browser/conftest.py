"""A real Chromium in front of a real server."""

import copy
import os
import shutil
import sqlite3
from contextlib import ExitStack, contextmanager
from types import SimpleNamespace

import pytest
from django.core.cache import cache
from django.db import connection
from django.urls import reverse

from tests.browser.chromium import chromium
from tests.browser.complete_study import complete_study
from tests.browser.work_page import sign_in, wait_until_ready

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


@contextmanager
def new_context(browser, address, **options):
    context = browser.new_context(base_url=address, **options)
    context.set_default_timeout(60_000)  # however busy the machine is
    yield context
    context.close()


@pytest.fixture(scope="session")
def shared_context(browser, base_url):
    with new_context(browser, base_url) as context:
        yield context


@pytest.fixture
def page(shared_context, base_url):
    """A page of a shared browser, which keeps cached files and forgets everything else.

    A script's error, or a breach of a page's policy, fails the test.
    """
    errors = []

    def hear(message):
        if message.type == "error" and "Failed to load resource" not in message.text:
            errors.append(message.text)

    page = shared_context.new_page()
    page.on("console", hear)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    kept = {"origin": base_url, "storageTypes": "cookies,local_storage"}
    shared_context.new_cdp_session(page).send("Storage.clearDataForOrigin", kept)
    page.close()
    assert errors == []


@pytest.fixture
def new_page(browser, base_url):
    """Call it for a page in a browser of its own, with options of Playwright's new_context."""
    with ExitStack() as stack:
        enter = stack.enter_context
        yield lambda **options: enter(new_context(browser, base_url, **options)).new_page()


@pytest.fixture
def clock_page(new_page):
    """A page with a clock that the test can turn: it goes by itself until then."""
    page = new_page()
    page.clock.install()
    return page


@pytest.fixture
def checked_page(new_page):
    # Axe measures with styles of its own, which the policy of the pages forbids.
    return new_page(bypass_csp=True)


@pytest.fixture
def signed_in(page, base_url):
    """Call it with a user: returns the page of their browser."""
    return lambda user, page=page: sign_in(page, user, base_url)


@pytest.fixture
def at_work(signed_in, page):
    """Call it with an annotator: returns their page once it takes answers."""

    def open_for(member, task="judge", page=page):
        signed_in(member.user, page).goto(reverse(task, args=[member.project.public_id]))
        wait_until_ready(page)
        return page

    return open_for


@pytest.fixture(autouse=True)
def no_tries_to_sign_in_yet():
    """Tries are counted in the cache, by address: all tests come from one."""
    cache.clear()


@pytest.fixture(scope="session")
def first_study(tmp_path_factory):
    """What the first complete study in this process leaves, for copies."""
    return SimpleNamespace(study=None, files=tmp_path_factory.mktemp("study") / "releases")


@pytest.fixture
def complete(transactional_db, first_study, settings, tmp_path):
    """A complete study. Its pages can be had from right to left, though with English words."""
    settings.LANGUAGES = [*settings.LANGUAGES, ("ar", "العربيّة")]
    folder = settings.RELEASES_DIR = tmp_path / "releases"
    if connection.vendor != "sqlite":
        return complete_study()
    if first_study.study is None:
        first_study.study, first_study.rows = complete_study(), sqlite3.connect(":memory:")
        shutil.copytree(folder, first_study.files)
        connection.connection.backup(first_study.rows)
    else:
        shutil.copytree(first_study.files, folder)
        connection.ensure_connection()
        first_study.rows.backup(connection.connection)
    return copy.deepcopy(first_study.study)
