"""Guessing passwords gets nowhere, whatever the headers say, and locks nobody out."""

import re

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client
from django.urls import reverse

from accounts.models import SignInTries, User
from tests.accounts.codes import PASSWORD

pytestmark = pytest.mark.django_db

LOGIN = "/accounts/login/"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password=PASSWORD)


@pytest.fixture
def evaluated(ada, monkeypatch) -> list[str]:
    """Every password that was put through the hasher from now on."""
    seen: list[str] = []
    encode = MD5PasswordHasher.encode

    def counted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        seen.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    return seen


def attempt(client: Client, *, name="ada", password="wrong", at="192.0.2.7", forwarded=None):
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    sent = {"login": name, "password": password}
    return client.post(LOGIN, sent, REMOTE_ADDR=at, headers=headers)


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def fake(number: int) -> str:
    return f"198.51.{number // 250}.{number % 250}"


def test_a_thousand_guesses_under_as_many_addresses_in_the_header_are_ten(evaluated):
    client = Client()
    for number in range(1000):
        reply = attempt(client, forwarded=fake(number))
    assert len(evaluated) == 10
    assert "tried too often" in reply.text
    assert re.search(r"Try again in 1\d minutes", reply.text)
    attempt(elsewhere := Client(), password=PASSWORD, at="203.0.113.9")
    assert is_in(elsewhere)


def test_so_they_are_behind_a_proxy_that_adds_the_true_address(evaluated, settings):
    settings.PROXIES = 1
    client = Client()
    for number in range(100):
        attempt(client, at="10.0.0.1", forwarded=f"{fake(number)}, 192.0.2.7")
    assert len(evaluated) == 10
    attempt(elsewhere := Client(), password=PASSWORD, at="10.0.0.1", forwarded="203.0.113.9")
    assert is_in(elsewhere)


def test_not_even_the_right_password_comes_in_where_too_many_were_tried(ada):
    client = Client()
    for _ in range(10):
        attempt(client)
    attempt(client, password=PASSWORD)
    assert not is_in(client)


def test_guesses_from_all_over_the_world_end_at_a_hundred_and_the_owner_comes_in(evaluated):
    attempt(own := Client(), password=PASSWORD)
    own.post(reverse("account_logout"))
    del evaluated[:]
    for number in range(150):
        attempt(Client(), at=fake(number))
    assert len(evaluated) == 100
    attempt(own, password=PASSWORD)
    assert is_in(own)


def test_guesses_from_the_owners_address_do_not_close_the_owners_browser(ada):
    attempt(own := Client(), password=PASSWORD)
    own.post(reverse("account_logout"))
    for _ in range(20):
        attempt(Client())
    attempt(own, password=PASSWORD)
    assert is_in(own)


def test_a_lecture_hall_behind_one_address_signs_in_at_once(ada):
    for number in range(3):
        User.objects.create_user(f"student{number}", password=PASSWORD)
    for number in range(60):
        attempt(client := Client(), name=f"student{number % 3}", password=PASSWORD)
        assert is_in(client)
    assert not SignInTries.objects.exists()


@pytest.mark.parametrize("name", ["ADA", " ada ", "aDa"])
def test_an_account_is_the_same_however_its_name_is_written(evaluated, name):
    for _ in range(9):
        attempt(Client())
    for _ in range(5):
        attempt(Client(), name=name)
    assert len(evaluated) == 10


@pytest.mark.parametrize("name", ["ada", "nobody", "closed", "without"])
def test_each_name_costs_the_same_work_whether_it_is_there_or_not(evaluated, name):
    User.objects.create_user("closed", password=PASSWORD, is_active=False)
    User.objects.create_user("without", password=None)
    del evaluated[:]
    attempt(Client(), name=name)
    assert len(evaluated) == 1


@pytest.mark.parametrize("name", ["ada", "nobody"])
def test_names_that_are_there_and_names_that_are_not_are_told_the_same(ada, name):
    texts = [attempt(Client(), name=name).context["form"].errors.as_text() for _ in range(11)]
    assert "not correct" in texts[0]
    assert "tried too often" in texts[-1]


def test_the_old_password_is_tried_ten_times_where_it_is_changed(evaluated):
    client = Client()
    attempt(client, password=PASSWORD)
    del evaluated[:]
    sent = {"oldpassword": "wrong", "password1": "new-harbour", "password2": "new-harbour"}
    for _ in range(15):
        reply = client.post(reverse("account_change_password"), sent)
    assert evaluated.count("wrong") == 10
    assert "tried too often" in reply.text


def test_so_it_is_where_one_shows_again_who_one_is(evaluated):
    client = Client()
    attempt(client, password=PASSWORD)
    del evaluated[:]
    for _ in range(15):
        reply = client.post(reverse("account_reauthenticate"), {"password": "wrong"})
    assert len(evaluated) == 10
    assert "tried too often" in reply.text
