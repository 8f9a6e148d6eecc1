"""Tries are counted before anything is looked at: by account and place, by account, by address."""

from datetime import timedelta

import pytest
from django.db import transaction
from django.http import HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from accounts import known_browsers, limits
from accounts.limits import Purpose, TooManyTries
from accounts.models import SignInTries, User

pytestmark = pytest.mark.django_db

HOME, ELSEWHERE = "192.0.2.7", "198.51.100.1"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada")


def attempt(account, *, at=HOME, right=False, cookie="", purpose=Purpose.PASSWORD) -> bool:
    """Whether the secret was looked at."""
    request = RequestFactory().post("/", REMOTE_ADDR=at)
    request.COOKIES["known"] = cookie
    try:
        with limits.a_try(purpose, account, request) as this:
            if right:
                this.succeeded()
    except TooManyTries:
        return False
    return True


def attempts(times: int, account, **options) -> int:
    return sum(attempt(account, **options) for _ in range(times))


def known_to(user: User) -> str:
    known_browsers.remember(response := HttpResponse(), user)
    return response.cookies["known"].value


def later(**passed: int) -> None:
    """So much time goes by for all that is counted."""
    for row in SignInTries.objects.all():
        SignInTries.objects.filter(pk=row.pk).update(until=row.until - timedelta(**passed))


def test_an_account_is_tried_ten_times_from_one_address(ada):
    assert attempts(30, ada) == 10
    assert attempt(ada, at=ELSEWHERE)


def test_an_account_is_tried_a_hundred_times_from_everywhere(ada):
    assert sum(attempts(10, ada, at=f"192.0.2.{number}") for number in range(20)) == 100


def test_from_one_address_accounts_are_tried_two_hundred_times():
    assert sum(attempt(f"somebody {number}") for number in range(250)) == 200
    assert attempt("somebody", at=ELSEWHERE)


def test_what_is_refused_in_one_place_closes_no_door_elsewhere(ada):
    attempts(150, ada)
    assert attempt(ada, at=ELSEWHERE)
    assert attempt("ben")


def test_a_browser_that_is_known_comes_in_while_all_other_doors_are_closed(ada):
    for number in range(10):
        attempts(10, ada, at=f"192.0.2.{number}")
    assert not attempt(ada, at=ELSEWHERE)
    assert attempt(ada, at=ELSEWHERE, cookie=known_to(ada))
    assert not attempt(ada, at=ELSEWHERE, cookie=known_to(User(username="eve")))


def test_a_browser_that_is_known_has_ten_tries_too(ada):
    assert attempts(20, ada, cookie=known_to(ada)) == 10


def test_a_try_that_succeeds_is_not_counted(ada):
    assert attempts(30, ada, right=True) == 30
    assert not SignInTries.objects.exists()


def test_success_gives_back_one_try_and_no_more(ada):
    attempts(9, ada)
    attempt(ada, right=True)
    assert attempts(5, ada) == 1


def test_a_name_is_the_same_however_it_is_written():
    assert attempts(9, "Ada") == 9
    assert attempts(2, "aDA") == 1


def test_codes_and_passwords_are_counted_apart(ada):
    attempts(10, ada)
    assert attempt(ada, purpose=Purpose.CODE)


def test_the_door_opens_again_after_a_quarter_of_an_hour(ada):
    attempts(11, ada)
    later(minutes=14)
    assert not attempt(ada)
    later(minutes=2)
    assert attempts(20, ada) == 10


def test_who_is_refused_is_told_when_to_come_back(ada):
    attempts(10, ada)
    later(minutes=10)
    request = RequestFactory().post("/", REMOTE_ADDR=HOME)
    refused = pytest.raises(TooManyTries, match="Try again in 5 minutes")
    with refused, limits.a_try(Purpose.PASSWORD, ada, request):
        pytest.fail("It was looked at.")


def test_what_is_over_is_swept_away():
    attempts(5, "ada")
    later(hours=2)
    attempt("ben", at=ELSEWHERE)
    assert not SignInTries.objects.filter(until__lt=timezone.now()).exists()


def test_refused_tries_leave_nothing_behind():
    for number in range(limits.ADDRESS.tries):
        attempt(f"somebody {number}")
    rows = SignInTries.objects.count()
    attempts(20, "somebody else")
    assert SignInTries.objects.count() == rows


def test_the_rows_hold_neither_names_nor_addresses(ada):
    attempt(ada)
    attempt("somebody")
    kept = " ".join(SignInTries.objects.values_list("digest", flat=True))
    assert HOME not in kept
    assert "somebody" not in kept
    assert str(ada.public_id) not in kept


def test_something_is_first_once(ada):
    assert limits.is_first("code 1", ada, within=timedelta(minutes=2))
    assert not limits.is_first("code 1", ada, within=timedelta(minutes=2))
    assert limits.is_first("code 2", ada, within=timedelta(minutes=2))
    later(minutes=3)
    assert limits.is_first("code 1", ada, within=timedelta(minutes=2))


@pytest.mark.django_db(transaction=True)
def test_a_try_that_could_be_rolled_back_is_a_mistake(ada):
    with pytest.raises(RuntimeError), transaction.atomic():
        attempt(ada)
