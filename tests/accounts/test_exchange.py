"""People as files: no password and no right comes in by one, and no formula leaves by one."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts import cells, exchange
from accounts.models import User

PEOPLE = "/admin/accounts/user/"
CSV, JSON = 0, 1


@pytest.fixture
def root(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


def send(client: Client, text: str, kind: int = CSV) -> Any:
    file = SimpleUploadedFile("people", text.encode())
    return client.post(f"{PEOPLE}import/", {"import_file": file, "format": kind})


@given(st.text())
def test_a_guarded_cell_comes_back_as_it_was(text: str) -> None:
    assert cells.unguarded(cells.guarded(text)) == text


@given(st.sampled_from(cells.FORMULA), st.text())
def test_no_guarded_cell_begins_like_a_formula(start: str, text: str) -> None:
    assert str(cells.guarded(start + text)).startswith("'")


def test_people_are_made_who_cannot_sign_in_yet(root: Client) -> None:
    send(root, "username,first_name,last_name,email\nada,Ada,L.,ada@example.org\n")

    ada = User.objects.get(username="ada")
    assert (ada.first_name, ada.email) == ("Ada", "ada@example.org")
    assert not ada.has_usable_password()


def test_neither_passwords_nor_rights_come_in(root: Client) -> None:
    bo = User.objects.create_user("bo", password="correct horse battery")
    header = "username,first_name,last_name,email,password,is_staff,is_superuser,is_active\n"
    send(root, f"{header}bo,Bo,,,stolen,1,1,0\nada,Ada,,,stolen,1,1,0\n")

    bo.refresh_from_db()
    assert bo.first_name == "Bo"
    assert bo.check_password("correct horse battery")
    for person in (bo, User.objects.get(username="ada")):
        assert (person.is_staff, person.is_superuser, person.is_active) == (False, False, True)


@pytest.mark.parametrize("change", [{"username": "a b"}, {"email": "nobody"}, {"first_name": "\0"}])
def test_one_bad_line_leaves_the_whole_file(root: Client, change: dict[str, str]) -> None:
    row = {"username": "ada", "first_name": "", "last_name": "", "email": ""}
    reply = send(root, json.dumps([row, row | {"username": "bo"} | change]), JSON)

    assert "Nothing was imported" in reply.text
    assert not User.objects.filter(username="ada").exists()


def test_a_file_that_is_too_large_is_refused(root: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exchange, "MOST_BYTES", 10)
    assert "larger than" in send(root, "username\nada_lovelace\n").text


def test_who_is_no_administrator_changes_no_administrator_by_a_file(db: None) -> None:
    helper = User.objects.create_user("helper", is_staff=True)
    helper.user_permissions.set(Permission.objects.filter(content_type__model="user"))
    User.objects.create_superuser("root")
    client = Client()
    client.force_login(helper)

    reply = send(client, "username,first_name,last_name,email\nroot,Robin,,\nada,Ada,,\n")

    assert "Only an administrator" in reply.text
    assert list(User.objects.exclude(first_name="")) == []


def test_an_export_holds_no_password(root: Client) -> None:
    User.objects.create_user("ada", password="correct horse battery", first_name="=1+1")
    text = client_export(root)
    assert "'=1+1" in text
    assert "password" not in text
    assert "argon2" not in text
    assert User.objects.get(username="ada").password not in text


def client_export(client: Client) -> str:
    return str(client.post(f"{PEOPLE}export/", {"format": CSV}).text)
