"""People in the admin: made without passwords, let in by links, given tokens; and by whom."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.models import AccessToken, User
from tests.accounts.test_services import PASSWORD, choose_password

pytestmark = pytest.mark.django_db

PEOPLE = "/admin/accounts/user/"


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


@pytest.fixture
def helper() -> Client:
    """Somebody who may change people, and is no administrator."""
    helper = User.objects.create_user("helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(content_type__model="user"))
    client = Client()
    client.force_login(helper)
    return client


def act(client: Client, action: str, *people: User) -> Any:
    chosen = {"action": action, "_selected_action": [person.pk for person in people]}
    return client.post(PEOPLE, chosen)


def secrets(response: Any) -> list[str]:
    return re.findall(r"<code>(.*?)</code>", response.content.decode())


def test_an_account_is_made_without_a_password(root: Client) -> None:
    root.post(f"{PEOPLE}add/", {"username": "ada"})

    ada = User.objects.get(username="ada")
    assert not ada.has_usable_password()
    assert (ada.is_staff, ada.is_superuser) == (False, False)


def test_the_link_of_a_new_account_lets_its_holder_choose_a_password(root: Client) -> None:
    link = secrets(root.post(f"{PEOPLE}add/", {"username": "ada"}))[0]

    choose_password(Client(), link.removeprefix("http://testserver"))

    assert User.objects.get(username="ada").check_password(PASSWORD)


def test_somebody_who_lost_their_password_is_given_a_link(root: Client) -> None:
    ada = User.objects.create_user("ada", password="forgotten")

    link = secrets(act(root, "make_links", ada))[0]
    choose_password(Client(), link.removeprefix("http://testserver"))

    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


def test_a_token_is_shown_once_and_opens_the_interface(root: Client) -> None:
    ada = User.objects.create_user("ada")

    response = act(root, "make_tokens", ada)

    token = secrets(response)[0]
    assert "no-store" in response.headers["Cache-Control"]
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    assert client.get("/api/projects/").status_code == 200
    assert token.encode() not in root.get("/admin/accounts/accesstoken/").content


@pytest.mark.parametrize(
    ("asked", "scope"), [("manage", "manage"), ("releases", "releases"), ("", "read")]
)
def test_tokens_have_the_scope_that_was_chosen(root: Client, asked: str, scope: str) -> None:
    ada = User.objects.create_user("ada")

    root.post(PEOPLE, {"action": "make_tokens", "_selected_action": [ada.pk], "scope": asked})

    assert AccessToken.objects.get().scope == scope


def test_a_scope_that_there_is_not_makes_no_token(root: Client) -> None:
    ada = User.objects.create_user("ada")

    root.post(PEOPLE, {"action": "make_tokens", "_selected_action": [ada.pk], "scope": "all"})

    assert not AccessToken.objects.exists()


def test_several_people_are_given_theirs_at_once(root: Client) -> None:
    people = [User.objects.create_user(name) for name in ("ada", "bo")]

    assert len(set(secrets(act(root, "make_tokens", *people)))) == 2


@pytest.mark.parametrize("action", ["make_links", "make_tokens"])
@pytest.mark.parametrize("trait", [{"is_simulated": True}, {"is_active": False}])
def test_whoever_cannot_sign_in_is_given_nothing(
    root: Client, action: str, trait: dict[str, bool]
) -> None:
    nobody = User.objects.create_user("nobody", **trait)

    assert act(root, action, nobody).status_code == 302
    assert not AccessToken.objects.exists()


@pytest.mark.parametrize("action", ["make_links", "make_tokens"])
@pytest.mark.parametrize("rights", [{"is_superuser": True}, {"is_staff": True}])
def test_only_an_administrator_makes_keys_to_people_with_rights(
    helper: Client, action: str, rights: dict[str, bool]
) -> None:
    above = User.objects.create_user("above", **rights)
    below = User.objects.create_user("below")

    response = act(helper, action, above, below)

    assert len(secrets(response)) == 1
    assert not AccessToken.objects.filter(user=above).exists()


def test_whoever_only_looks_makes_no_keys(helper: Client) -> None:
    only_view = Permission.objects.filter(codename="view_user")
    User.objects.get(username="helper").user_permissions.set(only_view)

    act(helper, "make_tokens", User.objects.create_user("ada"))

    assert not AccessToken.objects.exists()


def test_only_an_administrator_changes_people_with_rights(helper: Client) -> None:
    above = User.objects.create_superuser("above")

    for page in ("change", "delete"):
        address = reverse(f"admin:accounts_user_{page}", args=[above.pk])
        assert helper.post(address, {"username": "mine", "post": "yes"}).status_code == 403
    passwords = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    assert helper.post(f"{PEOPLE}{above.pk}/password/", passwords).status_code == 403


def test_only_an_administrator_gives_rights(helper: Client) -> None:
    ada = User.objects.create_user("ada")
    rights = {"is_active": "on", "is_staff": "on", "is_superuser": "on"}

    helper.post(f"{PEOPLE}{ada.pk}/change/", {"username": "ada", "first_name": "Ada"} | rights)

    ada.refresh_from_db()
    assert ada.first_name == "Ada"
    assert (ada.is_staff, ada.is_superuser) == (False, False)


def test_nobody_is_made_a_real_person_by_hand(root: Client) -> None:
    robot = User.objects.create_user("robot", is_simulated=True)

    root.post(f"{PEOPLE}{robot.pk}/change/", {"username": "robot", "is_simulated": ""})

    robot.refresh_from_db()
    assert robot.is_simulated


def test_a_token_is_revoked_by_deleting_it(root: Client) -> None:
    token, text = AccessToken.objects.create(user=User.objects.create_user("ada"))
    root.post(reverse("admin:accounts_accesstoken_delete", args=[token.pk]), {"post": "yes"})

    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {text}")
    assert client.get("/api/projects/").status_code == 401
