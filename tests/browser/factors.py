"""Second factors, as the pages of an account may find them."""

from playwright.sync_api import Page

from tests.accounts import codes
from tests.browser import house as houses
from tests.browser.house import House


def set_up(house: House) -> None:
    """The annotator signs in with a password and a code."""
    houses.with_password(house)
    codes.set_up(house.person("annotator"))


def confirm(page: Page) -> None:
    """Whoever is asked whether it is them gives the password, and gets where they wanted."""
    page.locator("[name=password]").fill(codes.PASSWORD)
    page.keyboard.press("Enter")
    page.locator("[name=password]").wait_for(state="detached")
    page.wait_for_load_state()


def sign_in(page: Page) -> None:
    """The password is right, and the code is asked for."""
    page.locator("[name=login]").fill("annotator")
    confirm(page)
