"""Guessing gets nowhere, whatever the headers say, and locks nobody out: tries are counted before
a secret is looked at, by account and place, by account, and by address."""

import uuid
from contextlib import suppress

import pytest
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts import limits
from accounts.limits import Purpose, TooManyTries
from accounts.models import SignInTries, User
from tests.accounts.conftest import PASSWORD, is_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]

HOME, ELSEWHERE, PROXY = "192.0.2.7", "198.51.100.1", "10.0.0.1"


def sign_in(client, *, name="ada", password="wrong", at=HOME, forwarded=None):
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    sent = {"login": name, "password": password}
    return client.post("/accounts/login/", sent, REMOTE_ADDR=at, headers=headers)


def attempts(times, account, *, at=HOME, right=False, cookie="", purpose=Purpose.PASSWORD):
    """How often a secret was looked at."""
    request, looked = RequestFactory().post("/", REMOTE_ADDR=at), 0
    request.COOKIES["known"] = cookie
    for _ in range(times):
        with suppress(TooManyTries), limits.sign_in_attempt(purpose, account, request) as attempt:
            looked += 1
            if right:
                attempt.succeeded()
    return looked


def cookie_for(user):
    limits.remember_browser(response := HttpResponse(), user)
    return response.cookies["known"]


@pytest.mark.both_engines
def test_an_account_is_tried_ten_times_from_one_place_and_a_hundred_times_in_all(ada):
    assert attempts(30, ada) == 10
    assert attempts(2, ada, at=ELSEWHERE) == 2
    assert attempts(2, ada, purpose=Purpose.CODE) == 2
    assert attempts(2, "ben") == 2
    assert sum(attempts(10, ada, at=f"192.0.3.{number}") for number in range(12)) == 88
    # A browser that is known has tries of its own, while all others are refused.
    assert attempts(1, ada, at="192.0.4.1", cookie=cookie_for(User(username="eve")).value) == 0
    assert attempts(20, ada, cookie=cookie_for(ada).value) == 10


def test_accounts_are_tried_two_hundred_times_from_one_address():
    assert sum(attempts(1, f"person {number}") for number in range(205)) == 200
    rows = SignInTries.objects.count()
    assert (attempts(5, "another"), SignInTries.objects.count()) == (0, rows)
    assert attempts(9, "Ada Lovelace", at=ELSEWHERE) == 9
    assert attempts(2, "aDA lOVELACE", at=ELSEWHERE) == 1
    kept = " ".join(SignInTries.objects.values_list("digest", flat=True)).lower()
    assert not [each for each in (HOME, ELSEWHERE, "person", "lovelace") if each in kept]


@pytest.mark.both_engines
def test_a_try_that_succeeds_is_given_back_and_no_more(ada):
    assert attempts(15, ada, right=True) == 15
    assert not SignInTries.objects.exists()
    assert attempts(9, ada) == 9
    assert attempts(1, ada, right=True) == 1
    assert attempts(5, ada) == 1


@pytest.mark.both_engines
def test_tries_end_a_quarter_of_an_hour_after_the_first(ada, clock, rf):
    attempts(11, ada)
    clock.move(minutes=10)
    refused = pytest.raises(TooManyTries, match="Try again in 5 minutes")
    with refused, limits.sign_in_attempt(Purpose.PASSWORD, ada, rf.post("/", REMOTE_ADDR=HOME)):
        pytest.fail("It was looked at.")
    clock.move(minutes=4, seconds=59)
    assert attempts(1, ada) == 0
    clock.move(seconds=1)
    assert attempts(20, ada) == 10
    clock.move(hours=2)
    attempts(1, "ben", at=ELSEWHERE)
    assert not SignInTries.objects.filter(until__lt=clock.now()).exists()


@pytest.mark.django_db(transaction=True)
def test_a_try_that_could_be_rolled_back_is_a_mistake(ada):
    with pytest.raises(RuntimeError), transaction.atomic():
        attempts(1, ada)


def test_made_up_headers_buy_no_more_guesses_with_or_without_a_proxy(evaluated, settings):
    for proxies, sender, suffix in ((0, HOME, ""), (1, PROXY, ", 192.0.2.9")):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
        evaluated.clear()
        client = Client()
        for number in range(15):
            reply = sign_in(client, at=sender, forwarded=f"198.51.100.{number}{suffix}")
        assert len(evaluated) == 10
        assert "Too many attempts. Try again in 15 minutes" in reply.text
        sign_in(client, password=PASSWORD, at=sender, forwarded=f"198.51.100.9{suffix}")
        assert not is_in(client)
        sign_in(elsewhere := Client(), password=PASSWORD, at=sender, forwarded="203.0.113.9")
        assert is_in(elsewhere) is bool(proxies)


def test_guesses_from_the_owners_address_do_not_close_the_owners_browser(ada):
    sign_in(own := Client(), password=PASSWORD)
    assert not SignInTries.objects.exists()
    own.post(reverse("account_logout"))
    for _ in range(12):
        sign_in(Client())
    sign_in(own, password=PASSWORD)
    assert is_in(own)


def test_names_that_exist_and_names_that_do_not_look_and_cost_the_same(evaluated):
    User.objects.create_user("closed", password=PASSWORD, is_active=False)
    User.objects.create_user("without", password=None)
    for names in (["ada", "ADA", " ada ", "aDa"], ["nobody"], ["closed"], ["without"]):
        del evaluated[:]
        replies = [sign_in(Client(), name=names[number % len(names)]) for number in range(11)]
        assert len(evaluated) == 10, names
        errors = [reply.context["form"].errors.as_text() for reply in replies]
        assert ["Wrong user name or password" in text for text in errors] == [True] * 10 + [False]
        assert "Too many attempts" in errors[-1]


def test_the_password_is_tried_ten_times_where_it_is_changed_or_shown_again(evaluated):
    twice = dict.fromkeys(("password1", "password2"), "new-harbour")
    pages = {"change_password": {"oldpassword": "wrong"} | twice}
    for page, sent in (pages | {"reauthenticate": {"password": "wrong"}}).items():
        SignInTries.objects.all().delete()
        sign_in(client := Client(), password=PASSWORD)
        del evaluated[:]
        for _ in range(12):
            reply = client.post(reverse(f"account_{page}"), sent)
        assert evaluated.count("wrong") == 10
        assert "Too many attempts" in reply.text


def test_a_browser_is_known_by_its_cookie_to_the_account_that_signed_in_alone(ada, rf, settings):
    def known(value, user=ada):
        request = rf.get("/")
        request.COOKIES["known"] = value
        return limits.known_browser(request, user) is not None

    cookie = cookie_for(ada)
    assert str(ada.public_id) not in cookie.value
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Lax", "/")
    assert known(cookie.value)
    assert not known(cookie.value, User(username="ben"))
    number, _, signature = cookie.value.partition(":")
    for forged in ("", ":", number, f"other:{signature}", f"{number}:{signature[:-1]}", "ä:ö"):
        assert not known(forged), forged
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    assert known(cookie.value)
    assert not known(cookie.value, User(username="ada", public_id=uuid.uuid4()))
    settings.SECRET_KEY_FALLBACKS = []
    assert not known(cookie.value)


def test_addresses_are_read_from_what_our_own_proxies_wrote(rf, settings):
    network, ipv4 = "2001:db8:1:2::/64", "192.0.2.7"
    for proxies, sender, forwarded, client in (
        (0, ipv4, "198.51.100.1, 203.0.113.9", ipv4),
        (1, PROXY, ipv4, ipv4),
        (1, PROXY, f"198.51.100.1, {ipv4}", ipv4),
        (2, PROXY, f"198.51.100.1, {ipv4}, 10.0.0.2", ipv4),
        (1, PROXY, f"nonsense, {ipv4}:51000", ipv4),
        (1, PROXY, "[2001:db8:1:2:3::9]:51000", network),
        (0, "2001:db8:1:2:ffff::9", "", network),
        (0, f"::ffff:{ipv4}", "", ipv4),
        # Misconfigured: it is not guessed.
        (2, PROXY, ipv4, ImproperlyConfigured),
        (0, "", "", PermissionDenied),
    ):
        settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
        request = rf.get("/", REMOTE_ADDR=sender, headers={"X-Forwarded-For": forwarded})
        if isinstance(client, str):
            assert limits.client_address(request) == client, (proxies, sender, forwarded)
        else:
            with pytest.raises(client):
                limits.client_address(request)
