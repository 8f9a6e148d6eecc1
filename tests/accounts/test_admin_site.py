"""Where others can reach the admin, it opens to nobody by a password alone."""

import re
from collections.abc import Iterator

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import User
from tests.accounts.codes import PASSWORD, code, set_up, signed_in

pytestmark = pytest.mark.django_db

INDEX = "/admin/"
# Nobody has to be let in to be shown the door, or to leave.
DOORS = {"/admin/login/", "/admin/logout/"}


@pytest.fixture(autouse=True)
def reached_by_others(settings):
    settings.STAFF_NEEDS_SECOND_FACTOR = True


@pytest.fixture
def root() -> User:
    return User.objects.create_superuser("root", password=PASSWORD)


def every_address() -> list[str]:
    """Of every page of the admin, with something in the place of each parameter."""
    [admin] = [
        each for each in get_resolver().url_patterns if getattr(each, "app_name", "") == "admin"
    ]
    return sorted(set(_addresses(admin, "/")))


def _addresses(part: URLResolver | URLPattern, before: str) -> Iterator[str]:
    path = before + _filled(str(part.pattern))
    if isinstance(part, URLPattern):
        yield path
        return
    for each in part.url_patterns:
        yield from _addresses(each, path)


def _filled(pattern: str) -> str:
    text = re.sub(r"\(\?P<url>.*\)", "nowhere/", pattern)
    text = re.sub(r"\(\?P<app_label>[^)]*\)", "accounts", text)
    return re.sub(r"<(?:\w+:)?\w+>", "1", text).strip("^$")


def sends_away(reply: HttpResponse) -> bool:
    """To the door; where only a part of a page was asked for, by letting the whole page come."""
    if "HX-Refresh" in reply.headers:
        return not reply.content
    return reply.headers.get("Location", "").startswith("/admin/login/?next=")


def test_there_are_pages_of_every_kind_to_be_tried():
    told = every_address()
    assert len(told) > 100
    for each in ("jsi18n/", "autocomplete/", "password_change/", "accounts/", "nowhere/"):
        assert f"/admin/{each}" in told
    for each in (
        "import/",
        "export/",
        "add/",
        "1/change/",
        "1/delete/",
        "1/history/",
        "1/password/",
    ):
        assert f"/admin/accounts/user/{each}" in told


@pytest.mark.parametrize("method", ["get", "post"])
def test_no_page_opens_to_staff_who_gave_a_password_alone(root, method):
    client = signed_in("root")
    for address in set(every_address()) - DOORS:
        assert sends_away(getattr(client, method)(address)), address


def test_control_with_a_code_the_same_pages_do_not_send_staff_away(root):
    set_up(root)
    client = signed_in("root", given=code())
    for address in set(every_address()) - DOORS:
        assert not sends_away(client.get(address)), address
    assert client.get(INDEX).status_code == 200


def test_a_code_that_was_given_opens_nothing_once_the_second_factor_is_gone(root):
    set_up(root)
    client = signed_in("root", given=code())
    root.authenticator_set.all().delete()
    assert client.get(INDEX).status_code == 302


def test_staff_without_a_second_factor_set_it_up_and_get_where_they_wanted(root):
    client = signed_in("root")
    people = reverse("admin:accounts_user_changelist")
    asked = client.get(people, follow=True)
    assert "The administration opens only with a second factor" in asked.text
    page = client.post(asked.redirect_chain[-1][0], {"password": PASSWORD}, follow=True)
    secret = page.context["form"].secret
    kept = client.post(page.redirect_chain[-1][0], {"code": code(secret)}, follow=True)
    assert kept.context["wanted"] == people
    assert f'href="{people}"' in kept.text
    assert client.get(people).status_code == 200


def test_staff_who_have_one_and_gave_no_code_are_asked_for_it(root):
    client = signed_in("root")
    set_up(root)
    asked = client.get(INDEX, follow=True)
    assert "asks for a code" in asked.text
    reply = client.post(asked.redirect_chain[-1][0], {"code": code(), "next": INDEX}, follow=True)
    assert reply.redirect_chain[-1][0] == INDEX
    assert reply.status_code == 200


def test_strangers_are_sent_to_the_page_to_sign_in():
    reply = Client().get(INDEX, follow=True)
    assert reply.redirect_chain[-1][0] == f"/accounts/login/?next={INDEX}"


def test_who_is_no_staff_is_told_so():
    User.objects.create_user("ada", password=PASSWORD)
    assert signed_in("ada").get(INDEX, follow=True).status_code == 403


def test_nobody_is_sent_to_another_host(root):
    reply = signed_in("root").get("/admin/login/?next=https://elsewhere.example/")
    assert "elsewhere" not in reply["Location"]


def test_on_the_machine_itself_a_password_suffices(root, settings):
    settings.STAFF_NEEDS_SECOND_FACTOR = False
    client = signed_in("root")
    assert client.get(INDEX).status_code == 200
    assert client.get("/admin/login/").headers["Location"] == INDEX


def test_passwords_are_changed_where_tries_are_limited(root, settings):
    settings.STAFF_NEEDS_SECOND_FACTOR = False
    reply = signed_in("root").get("/admin/password_change/")
    assert reply["Location"] == reverse("account_change_password")


def test_a_page_beside_the_admin_that_keeps_its_door_is_where_one_gets_back_to(root):
    reply = signed_in("root").get(reverse("status"))
    assert reply["Location"] == f"{reverse('mfa_activate_totp')}?next=%2Fstatus%2F"
