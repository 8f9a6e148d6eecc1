"""Accounts are erased by a command and in the administration."""

from io import StringIO

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command

from accounts import erasure
from accounts.models import User
from tests.annotation.filled import filled

pytestmark = pytest.mark.django_db

NAME = "canary.nightingale"


@pytest.fixture
def root():
    return User.objects.create_superuser("root")


@pytest.fixture
def canary():
    return User.objects.create_user(NAME, password="only-for-tests")


def test_the_command_erases_whom_it_names(canary):
    call_command("erase_account", NAME, yes=True, stdout=StringIO())

    canary.refresh_from_db()
    assert canary.erased_at is not None


@pytest.mark.parametrize(("name", "why"), [("nobody", "nobody of the name"), ("root", "last")])
def test_the_command_says_why_it_did_not(root, name, why):
    with pytest.raises(CommandError, match=why):
        call_command("erase_account", name, yes=True)


@pytest.mark.parametrize("typed", ["", "yes", NAME.upper()])
def test_the_command_asks_for_the_name_once_more(canary, typed, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda prompt: typed)

    with pytest.raises(CommandError, match="Nothing was erased"):
        call_command("erase_account", NAME)
    canary.refresh_from_db()
    assert canary.erased_at is None


PEOPLE = "/admin/accounts/user/"


def choose(client, person, **more):
    return client.post(PEOPLE, {"action": "erase", "_selected_action": [person.pk], **more})


def test_the_admin_asks_before_it_erases(canary, root, client):
    client.force_login(root)

    asked = choose(client, canary)
    canary.refresh_from_db()
    assert NAME in asked.content.decode()
    assert canary.erased_at is None

    choose(client, canary, confirmed="yes")
    canary.refresh_from_db()
    assert canary.erased_at is not None


def test_only_administrators_erase(canary, client):
    helper = User.objects.create_user("helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(content_type__model="user"))
    client.force_login(helper)

    choose(client, canary, confirmed="yes")

    canary.refresh_from_db()
    assert canary.erased_at is None


def test_the_admin_says_why_somebody_was_not_erased(root, client):
    client.force_login(root)

    choose(client, root, confirmed="yes")

    assert "last administrator" in client.get(PEOPLE).content.decode()


def test_an_erased_account_is_not_changed_in_the_admin(canary, root, client):
    client.force_login(root)
    erasure.erase(canary, by=root)

    reply = client.post(f"{PEOPLE}{canary.pk}/change/", {"username": "again", "is_active": "on"})

    assert reply.status_code == 403
    canary.refresh_from_db()
    assert not canary.is_active


def test_whoever_has_answered_is_not_deleted_and_the_page_points_to_erasing(root, client):
    study = filled()
    client.force_login(root)
    judge = study.judges[0].user

    for reply in (
        client.get(f"{PEOPLE}{judge.pk}/delete/"),
        client.post(PEOPLE, {"action": "delete_selected", "_selected_action": [judge.pk]}),
    ):
        assert "Erase for good" in reply.content.decode()
