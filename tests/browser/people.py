"""People in front of a browser."""

from django.conf import settings
from django.test import Client
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import User


def sign_in(page: Page, user: User, *, live_server: LiveServer) -> None:
    """Give the page's browser the session of `user`, as if the sign-in page had been filled in."""
    client = Client()
    client.force_login(user)
    name = settings.SESSION_COOKIE_NAME
    cookie = client.cookies[name].value
    page.context.add_cookies([{"name": name, "value": cookie, "url": live_server.url}])
