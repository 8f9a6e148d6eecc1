"""The page of one's own tokens: for whom it is, what it shows and what it never shows."""

import html
import re

import pytest
from django.test import Client
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import AccessToken, User
from annotation.models import Membership
from tests.annotation import cast

pytestmark = pytest.mark.django_db

PAGE, NEW = "/accounts/tokens/", "/accounts/tokens/new/"
ASKED = {"name": "Notebook", "scope": "read", "days": "30"}


def member(role):
    return cast.person(cast.study(), role=role).user


@pytest.fixture
def person():
    return member(Membership.Role.RESEARCHER)


@pytest.fixture
def browser(person):
    client = Client()
    client.force_login(person)
    return client


def shown(reply):
    """The token in a reply."""
    return re.search(r'id="token" value="([0-9a-f]+)"', reply.content.decode())[1]


def handle():
    return AccessToken.objects.get().pk[:16]


def test_whoever_is_not_signed_in_is_asked_to(client):
    for reply in (client.get(PAGE), client.post(NEW, ASKED)):
        assert reply.status_code == 302
        assert "login" in reply.headers["Location"]


@pytest.mark.parametrize("role", ["annotator", None])
def test_for_whom_a_token_would_open_nothing_there_is_no_page(client, role):
    client.force_login(member(role) if role else User.objects.create_user("stranger"))

    assert client.get(PAGE).status_code == 404
    assert client.post(NEW, ASKED).status_code == 404
    assert not AccessToken.objects.exists()


@pytest.mark.parametrize("role", ["manager", "researcher", "staff", "superuser"])
def test_everybody_who_reads_something_has_it(client, role):
    rights = {f"is_{role}": True}
    user = User.objects.create_user(role, **rights) if role[0] == "s" else member(role)
    client.force_login(user)

    assert client.get(PAGE).status_code == 200


def test_a_token_is_made_as_it_was_asked_for_and_opens_the_interface(browser, person):
    reply = browser.post(NEW, ASKED)

    row = AccessToken.objects.get()
    assert (row.user, row.name, row.scope) == (person, "Notebook", "read")
    assert (row.expiry - row.created).days in (29, 30)
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {shown(reply)}")
    assert program.get("/api/projects/").status_code == 200


@pytest.mark.parametrize(
    ("scope", "address"),
    [("releases", "/api/releases/"), ("read", "/api/projects/"), ("manage", "/api/projects/")],
)
def test_the_request_that_is_shown_is_answered(browser, scope, address):
    reply = browser.post(NEW, ASKED | {"scope": scope})

    line = re.search(r'id="line" value="(.*?)"', reply.content.decode())[1]
    wanted = f'curl -H "Authorization: Token {shown(reply)}" http://testserver{address}'
    assert html.unescape(line) == wanted
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {shown(reply)}")
    assert program.get(address).status_code == 200


def test_a_token_is_shown_once_and_kept_by_no_cache(browser):
    reply = browser.post(NEW, ASKED)
    token, later = shown(reply), browser.get(PAGE)

    assert "no-store" in reply.headers["Cache-Control"]
    assert "no-store" in later.headers["Cache-Control"]
    assert "Notebook" in later.content.decode()
    assert token not in later.content.decode()
    assert token[:15] not in later.content.decode()


@pytest.mark.parametrize(
    "wrong", [{"scope": "everything"}, {"days": "4000"}, {"name": ""}, {"name": "x" * 101}]
)
def test_what_does_not_suit_makes_no_token(browser, wrong):
    assert browser.post(NEW, ASKED | wrong).status_code == 422
    assert not AccessToken.objects.exists()


def test_a_token_is_taken_back(browser, person):
    program = APIClient()
    program.credentials(HTTP_AUTHORIZATION=f"Token {tokens.create(user=person)}")

    assert browser.post(f"{PAGE}{handle()}/revoke/").status_code == 302

    assert program.get("/api/projects/").status_code == 401
    assert browser.post(f"{PAGE}{handle_of_nothing()}/revoke/").status_code == 302


def handle_of_nothing():
    return "0" * 16


def test_tokens_of_others_are_neither_shown_nor_taken_back(browser):
    tokens.create(user=member(Membership.Role.MANAGER), name="Not yours")

    assert "Not yours" not in browser.get(PAGE).content.decode()
    browser.post(f"{PAGE}{handle()}/revoke/")
    assert AccessToken.objects.exists()


def test_a_form_of_another_site_makes_and_takes_back_nothing(person):
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    tokens.create(user=person)

    assert client.post(NEW, ASKED).status_code == 403
    assert client.post(f"{PAGE}{handle()}/revoke/").status_code == 403
    assert AccessToken.objects.count() == 1


@pytest.mark.parametrize("address", [NEW, f"{PAGE}{'0' * 16}/revoke/"])
def test_nothing_is_done_by_a_link(browser, address):
    assert browser.get(address).status_code == 405


def test_what_is_over_says_so(browser, person):
    tokens.create(user=person, name="Old", days=1)
    AccessToken.objects.update(expiry="2020-01-01T00:00:00Z")

    assert "expired" in browser.get(PAGE).content.decode()


def test_a_handle_that_may_mean_several_is_refused(person):
    with pytest.raises(ValueError, match="more than one"):
        tokens.revoke(user=person, handle="0")


@pytest.mark.parametrize(("role", "is_led"), [("researcher", True), ("annotator", False)])
def test_the_first_page_leads_there_whoever_has_it(client, role, is_led):
    client.force_login(member(role))

    assert (f'href="{PAGE}"' in client.get("/").content.decode()) is is_led
