"""API tokens: how they are made, what they open, and how they end."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import AccessToken, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def person() -> User:
    return User.objects.create_user("ada")


def holder(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


def test_a_token_opens_what_its_person_may_read(person: User) -> None:
    assert holder(tokens.create(user=person)).get("/api/projects/").status_code == 200


def test_a_token_is_not_kept_as_it_was_shown(person: User) -> None:
    token = tokens.create(user=person)

    row = AccessToken.objects.values_list().get()
    assert token not in [str(value) for value in row]


def test_a_token_lives_for_ninety_days_unless_told_otherwise(person: User) -> None:
    tokens.create(user=person)

    left = AccessToken.objects.get().expiry - timezone.now()
    assert timedelta(days=89) < left <= timedelta(days=90)


def test_an_expired_token_opens_nothing(person: User) -> None:
    client = holder(tokens.create(user=person, days=1))
    AccessToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))

    assert client.get("/api/projects/").status_code == 401


def test_the_token_of_a_closed_account_opens_nothing(person: User) -> None:
    client = holder(tokens.create(user=person))
    User.objects.update(is_active=False)

    assert client.get("/api/projects/").status_code == 401


def test_bytes_that_are_no_text_are_a_wrong_token(person: User) -> None:
    assert holder("\xff" * 64).get("/api/projects/").status_code == 401


@pytest.mark.parametrize("trait", [{"is_simulated": True}, {"is_active": False}])
def test_whoever_cannot_sign_in_gets_no_token(trait: dict[str, bool]) -> None:
    nobody = User.objects.create_user("nobody", **trait)

    with pytest.raises(ValueError, match="cannot sign in"):
        tokens.create(user=nobody)


def test_a_token_can_be_revoked_by_its_holder(person: User) -> None:
    client = holder(tokens.create(user=person))
    other = holder(tokens.create(user=person))

    assert client.delete("/api/tokens/current/").status_code == 204
    assert client.get("/api/projects/").status_code == 401
    assert other.get("/api/projects/").status_code == 200


def test_a_session_holds_no_token_to_revoke(person: User) -> None:
    client = APIClient()
    client.force_login(person)

    assert client.delete("/api/tokens/current/").status_code == 401


def test_the_command_prints_a_token_and_nothing_else(person: User) -> None:
    output = StringIO()
    call_command("create_token", "ada", days=2, stdout=output)

    assert holder(output.getvalue().strip()).get("/api/projects/").status_code == 200
    assert AccessToken.objects.get().expiry < timezone.now() + timedelta(days=2)


@pytest.mark.parametrize("arguments", [["nobody"], ["ada", "--days=0"], ["ada", "--days=9999999"]])
def test_the_command_says_why_there_is_no_token(person: User, arguments: list[str]) -> None:
    with pytest.raises(CommandError):
        call_command("create_token", *arguments)


def test_the_command_gives_the_token_its_scope_and_its_name(person: User) -> None:
    call_command("create_token", "ada", scope="manage", name="Nightly", stdout=StringIO())

    row = AccessToken.objects.get()
    assert (row.scope, row.name) == ("manage", "Nightly")


def test_a_token_reads_unless_told_otherwise(person: User) -> None:
    tokens.create(user=person)

    assert AccessToken.objects.get().scope == "read"


@pytest.mark.parametrize("wrong", [{"scope": "everything"}, {"name": "x" * 101}])
def test_a_token_is_not_made_with_what_there_is_not(person: User, wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"everything|characters"):
        tokens.create(user=person, **wrong)
