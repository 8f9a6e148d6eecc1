"""The browser that other tests rely on is real, and so are its signed-in people."""

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from tests.browser.people import sign_in


def test_a_stranger_is_asked_for_a_password(page: Page) -> None:
    page.goto("/")

    expect(page.get_by_label("Password")).to_be_visible()


def test_a_signed_in_person_is_known_to_the_server(page: Page, live_server: LiveServer) -> None:
    person = User.objects.create_superuser(username="ada", password="quiet-orchard-lantern")
    sign_in(page, person, live_server=live_server)
    page.goto("/admin/")

    expect(page.get_by_text("ada", exact=True)).to_be_visible()


def test_a_page_can_tell_light_from_dark(page: Page, colours: str) -> None:
    page.goto("/accounts/login/")

    assert page.evaluate(f"matchMedia('(prefers-color-scheme: {colours})').matches")
