"""From a link to a password, and from a password to the first page."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from accounts.services import password_link

PASSWORD = "quiet-orchard-lantern"


@pytest.fixture
def link(transactional_db: None) -> str:
    return password_link(user=User.objects.create_user("ada"))


def choose_password(page: Page, link: str) -> None:
    page.goto(link)
    for field in ("password1", "password2"):
        page.locator(f"[name={field}]").fill(PASSWORD)
    page.get_by_role("button", name="Set the password").click()
    expect(page.get_by_text("Your password is set")).to_be_visible()


def test_a_link_leads_to_a_password_and_the_password_to_the_first_page(
    page: Page, link: str
) -> None:
    choose_password(page, link)
    page.get_by_role("link", name="Go on").click()
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Your projects")).to_be_visible()


def test_the_page_says_whose_password_it_sets(page: Page, link: str) -> None:
    page.goto(link)
    expect(page.get_by_label("User name")).to_have_value("ada")


def test_a_link_works_once(page: Page, link: str) -> None:
    choose_password(page, link)
    page.goto(link)
    expect(page.get_by_text("This link does not work any more")).to_be_visible()


def test_a_wrong_password_keeps_the_name_and_says_no_more_than_needed(page: Page) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill("nobody")
    page.get_by_label("Password").fill("wrong-password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("are not correct")).to_be_visible()
    expect(page.get_by_label("User name")).to_have_value("nobody")


def test_signing_out_takes_one_click(page: Page, link: str) -> None:
    choose_password(page, link)
    page.goto("/accounts/login/")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Sign out").click()
    page.goto("/")
    expect(page.get_by_label("Password")).to_be_visible()
