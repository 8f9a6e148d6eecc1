"""The browser of tests/browser, for the pages here."""

from tests.browser.conftest import *  # noqa: F403
