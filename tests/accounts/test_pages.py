"""Pages of one's own account, with the look of all others."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import sign_up
from accounts.models import User

PASSWORD, OTHER = "quiet-orchard-lantern", "loud-harbour-candle"
CHANGE = "/accounts/password/change/"


@pytest.fixture(autouse=True)
def no_tries_yet() -> Iterator[None]:
    """Tries are counted in the cache, by address: all tests come from one."""
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def client(db: None) -> Client:
    User.objects.create_user("ada", password=PASSWORD)
    client = Client()
    client.login(username="ada", password=PASSWORD)
    return client


def change(client: Client, **sent: str):
    form = {"oldpassword": PASSWORD, "password1": OTHER, "password2": OTHER}
    return client.post(CHANGE, form | sent, follow=True)


def test_a_password_is_changed_and_one_stays_signed_in(client):
    reply = change(client)
    assert reply.redirect_chain == [("/", 302)]
    assert "Your password is changed." in reply.text
    assert Client().login(username="ada", password=OTHER)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"oldpassword": "wrong"}, "current password"),
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password2": "another-orchard"}, "same password"),
    ],
)
def test_a_change_that_cannot_be_says_why(client, sent, said):
    assert said in change(client, **sent).text
    assert Client().login(username="ada", password=PASSWORD)


def test_who_has_no_password_chooses_one(db):
    user = User.objects.create_user("ben", password=None)
    client = Client()
    client.force_login(user)
    reply = client.get(CHANGE, follow=True)
    assert "Choose a password" in reply.text
    assert "Your password now" not in reply.text


def test_nobody_signs_up_unasked(db):
    assert not sign_up.is_open(Client().session)
    with pytest.raises(sign_up.Closed):
        sign_up.join(Client().session, User.objects.create_user("ada"))


def test_too_many_tries_are_told_to_wait(db, settings):
    settings.ACCOUNT_RATE_LIMITS = {"signup": "20/m/ip"}
    sent = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
    replies = [Client().post("/accounts/signup/", sent) for _ in range(21)]
    assert [reply.status_code for reply in replies[-2:]] == [200, 429]
    assert "Too many tries in a short time" in replies[-1].text
