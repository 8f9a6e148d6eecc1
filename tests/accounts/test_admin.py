"""People in the admin: made without passwords, given links, erased, and as files."""

import json
import re

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from accounts import admin_tables, tokens
from accounts.models import AccessToken, User
from common import formulas
from tests.accounts.conftest import PASSWORD, choose_password, session_of, status
from tests.annotation import judged, make

pytestmark = pytest.mark.django_db

PEOPLE = "/admin/accounts/user/"
CSV, JSON = 0, 1


@pytest.fixture
def helper(db):
    """May change people, and is no administrator."""
    user = User.objects.create_user("helper", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__model="user"))
    return session_of(user)


def act(client, action, *people, **more):
    chosen = {"action": action, "_selected_action": [person.pk for person in people]}
    return client.post(PEOPLE, chosen | more)


def links(reply):
    return re.findall(r"<code>(.*?)</code>", reply.text)


def send(client, text, kind=CSV):
    file = SimpleUploadedFile("people", text.encode())
    return client.post(f"{PEOPLE}import/", {"import_file": file, "format": kind})


def test_a_new_account_has_no_password_but_a_link_to_choose_one(admin):
    [link] = links(admin.post(f"{PEOPLE}add/", {"username": "bo"}))
    bo = User.objects.get(username="bo")
    assert (bo.has_usable_password(), bo.is_staff, bo.is_superuser) == (False, False, False)
    for _ in range(2):  # the second for a person who forgot it
        choose_password(Client(), link.removeprefix("http://testserver"))
        bo.refresh_from_db()
        assert bo.check_password(PASSWORD)
        bo.set_password("forgotten")
        bo.save()
        [link] = links(act(admin, "make_links", bo))


def test_a_token_can_be_revoked_and_is_nowhere_to_be_read(admin, ada):
    token = tokens.create(user=ada)
    rows = "/admin/accounts/accesstoken/"
    assert token not in admin.get(rows).text
    admin.post(f"{rows}{AccessToken.objects.get().pk}/delete/", {"post": "yes"})
    assert status(token) == 401


def test_links_are_only_for_people_who_can_sign_in(admin, helper, root, ada):
    robot = User.objects.create_user("robot", is_simulated=True)
    closed = User.objects.create_user("closed", is_active=False)
    staff = User.objects.create_user("staff", is_staff=True)
    assert act(admin, "make_links", robot, closed).status_code == 302
    reply = act(helper, "make_links", staff, root, ada)
    assert (len(links(reply)), "no-store" in reply.headers["Cache-Control"]) == (1, True)
    only_view = Permission.objects.filter(codename="view_user")
    User.objects.get(username="helper").user_permissions.set(only_view)
    assert links(act(helper, "make_links", ada)) == []


def test_only_an_administrator_changes_rights_and_people_who_have_some(admin, helper, root, ada):
    passwords = {"password1": PASSWORD, "password2": PASSWORD, "usable_password": "true"}
    sent = {"username": "mine", "post": "yes"} | passwords
    for page in ("change", "delete", "password"):
        assert helper.post(f"{PEOPLE}{root.pk}/{page}/", sent).status_code == 403, page
    rights = dict.fromkeys(("is_active", "is_staff", "is_superuser"), "on")
    sent = {"username": "ada", "first_name": "Ada"} | rights
    helper.post(f"{PEOPLE}{ada.pk}/change/", sent)
    ada.refresh_from_db()
    assert (ada.first_name, ada.is_staff, ada.is_superuser) == ("Ada", False, False)
    admin.post(f"{PEOPLE}{ada.pk}/change/", sent | {"is_superuser": ""})
    ada.refresh_from_db()
    assert (ada.is_staff, ada.is_superuser) == (True, False)
    robot = User.objects.create_user("robot", is_simulated=True)
    admin.post(f"{PEOPLE}{robot.pk}/change/", {"username": "robot", "is_simulated": ""})
    assert User.objects.get(username="robot").is_simulated
    send(helper, "username,first_name,last_name,email\nroot,Robin,,\nbo,Bo,,\n")
    assert list(User.objects.exclude(first_name="")) == [ada]


def test_files_bring_in_and_take_out_neither_passwords_nor_rights(admin, ada, monkeypatch):
    header = "username,first_name,last_name,email,password,is_staff,is_superuser,is_active\n"
    send(admin, f"{header}ada,=1+1,L.,a@b.example,stolen,1,1,0\nbo,Bo,,,stolen,1,1,0\n")
    bo = User.objects.get(username="bo")
    ada.refresh_from_db()
    assert (ada.first_name, ada.last_name, ada.email) == ("=1+1", "L.", "a@b.example")
    assert (ada.check_password(PASSWORD), bo.has_usable_password()) == (True, False)
    for person in (ada, bo):
        assert (person.is_staff, person.is_superuser, person.is_active) == (False, False, True)
    text = admin.post(f"{PEOPLE}export/", {"format": CSV}).text
    assert [each in text for each in ("'=1+1", "password", ada.password)] == [True, False, False]

    # One bad line leaves the whole file.
    row = {"username": "cy", "first_name": "", "last_name": "", "email": ""}
    for change in ({"username": "a b"}, {"email": "nobody"}, {"first_name": "\0"}):
        reply = send(admin, json.dumps([row, row | {"username": "di"} | change]), JSON)
        assert "Nothing was imported" in reply.text, change
    monkeypatch.setattr(admin_tables, "MOST_BYTES", 10)
    assert "larger than" in send(admin, "username\nada_lovelace\n").text
    assert User.objects.count() == 3


@given(st.text(), st.sampled_from(formulas.FORMULA))
def test_guarded_cells_come_back_as_they_were_and_are_no_formulas(text, start):
    assert formulas.unescape(formulas.escape(text)) == text
    assert str(formulas.escape(start + text)).startswith("'")


def test_the_admin_asks_before_it_erases_and_is_for_administrators(admin, helper, root, ada):
    act(helper, "erase", ada, confirmed="yes")
    assert "ada" in act(admin, "erase", ada).text
    assert User.objects.get(pk=ada.pk).erased_at is None
    act(admin, "erase", ada, confirmed="yes")
    assert User.objects.get(pk=ada.pk).erased_at is not None
    reply = admin.post(f"{PEOPLE}{ada.pk}/change/", {"username": "again", "is_active": "on"})
    assert reply.status_code == 403
    act(admin, "erase", root, confirmed="yes")
    assert "last administrator" in admin.get(PEOPLE).text


def test_a_deletion_that_would_be_refused_is_not_offered(admin, ada):
    [judge] = judged.people(project := make.study(), 1)
    judged.pairs(project, [[1]], by=[judge])
    assert f"{PEOPLE}{ada.pk}/delete/" in admin.get(f"{PEOPLE}{ada.pk}/change/").text
    page = f"{PEOPLE}{judge.user.pk}/"
    assert f"{page}delete/" not in admin.get(f"{page}change/").text
    assert admin.get(f"{page}delete/").status_code == 403
    assert "delete_selected" not in admin.get(PEOPLE).text


def test_the_index_folds_tables_that_no_one_edits(admin):
    edited, folded = admin.get("/admin/").text.split("<details>")
    assert "/admin/accounts/user/" in edited
    tables = "/admin/annotation/judgment/"
    assert (tables in edited, tables in folded) == (False, True)
