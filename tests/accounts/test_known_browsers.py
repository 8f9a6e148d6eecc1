"""A browser in which somebody has signed in is known to their account, and to no other."""

import uuid

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from accounts import known_browsers
from accounts.models import User


def cookie_for(user: User) -> str:
    known_browsers.remember(response := HttpResponse(), user)
    return response.cookies["known"].value


def known(cookie: str, user: User) -> bool:
    request = RequestFactory().get("/")
    request.COOKIES["known"] = cookie
    return known_browsers.number_of(request, user) is not None


@pytest.fixture
def ada() -> User:
    return User(username="ada")


def test_a_browser_is_known_to_the_account_that_signed_in(ada):
    assert known(cookie_for(ada), ada)
    assert not known(cookie_for(ada), User(username="ben"))


def test_a_cookie_that_somebody_made_up_is_of_no_use(ada):
    number, _, digest = cookie_for(ada).partition(".")
    for forged in ("", ".", number, f"other.{digest}", f"{number}.{digest[:-1]}", "ä.ö"):
        assert not known(forged, ada)


def test_a_cookie_outlives_a_change_of_the_secret_key(ada, settings):
    cookie = cookie_for(ada)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert known(cookie, ada)
    settings.SECRET_KEY_FALLBACKS = []
    assert not known(cookie, ada)


def test_an_account_that_got_another_id_knows_no_browser(ada):
    cookie = cookie_for(ada)
    ada.public_id = uuid.uuid4()
    assert not known(cookie, ada)


def test_the_cookie_names_nobody_and_no_script_reads_it(ada):
    known_browsers.remember(response := HttpResponse(), ada)
    cookie = response.cookies["known"]
    assert str(ada.public_id) not in cookie.value
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
