"""Coming in by a link: what a stranger is told, and how an account and a place are made."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotation.models import Invitation, Membership, Project, Role
from annotation.services import invitations
from tests.annotation import cast

PASSWORD = "quiet-orchard-lantern"
NEW = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}
SIGN_UP = "/accounts/signup/"


@pytest.fixture(autouse=True)
def no_tries_yet() -> None:
    """Tries are counted in the cache, by address: all tests come from one."""
    cache.clear()


@pytest.fixture
def project(db: None) -> Project:
    return cast.study(description="About towns.")


@pytest.fixture
def manager(project: Project) -> User:
    return cast.person(project, role=Role.MANAGER).user


def link(project: Project, manager: User, **options: object) -> str:
    end = {"expires_at": timezone.now() + timedelta(days=1)}
    _invitation, secret = invitations.create(project, by=manager, **(end | options))
    return reverse("join", args=[secret])


def opened(address: str, user: User | None = None) -> Client:
    client = Client()
    if user:
        client.force_login(user)
    client.get(address)
    return client


def test_the_secret_leaves_the_address_at_once(project, manager):
    reply = Client().get(link(project, manager))
    assert (reply.status_code, reply.url) == (302, "/join/")
    assert reply.headers["Referrer-Policy"] == "no-referrer"
    assert reply.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "no-store" in reply.headers["Cache-Control"]


def test_a_stranger_reads_who_invites_and_to_what(project, manager):
    reply = opened(link(project, manager, may_correct=False)).get("/join/")
    assert project.name in reply.text
    assert "About towns." in reply.text
    assert "whether two sentences mean the same" in reply.text
    assert "repair sentences" not in reply.text
    assert reply.headers["X-Robots-Tag"] == "noindex, nofollow"


def test_the_pages_after_it_never_hold_the_secret(project, manager):
    address = link(project, manager)
    secret = address.split("/")[2]
    client = opened(address)
    pages = [client.get("/join/"), client.get(SIGN_UP), client.get("/accounts/login/?next=/join/")]
    pages.append(client.post(SIGN_UP, NEW | {"next": "/join/"}, follow=True))
    assert all(secret not in f"{page.text}{page.headers}" for page in pages)


def test_no_secret_stands_in_the_session(project, manager):
    address = link(project, manager)
    assert address.split("/")[2] not in str(dict(opened(address).session))


def test_who_is_signed_in_joins_with_one_button(project, manager):
    user = User.objects.create_user("ben")
    client = opened(link(project, manager), user)
    assert "Join as ben" in client.get("/join/").text
    reply = client.post("/join/")
    assert reply.url == reverse("welcome", args=[project.public_id])
    assert Membership.objects.get(user=user).project == project


def test_looking_alone_joins_nothing(project, manager):
    user = User.objects.create_user("ben")
    opened(link(project, manager), user).get("/join/")
    assert not Membership.objects.filter(user=user).exists()


def test_a_member_goes_on_to_the_project(project, manager):
    client = opened(link(project, manager), cast.person(project).user)
    assert client.get("/join/").url == reverse("welcome", args=[project.public_id])


def test_a_new_account_has_its_place_and_is_signed_in(project, manager):
    client = opened(link(project, manager, may_correct=False))
    reply = client.post(SIGN_UP, NEW | {"next": "/join/"}, follow=True)
    assert reply.redirect_chain[-1][0] == reverse("welcome", args=[project.public_id])
    place = Membership.objects.get(user__username="ada")
    assert (place.project, place.may_correct, place.role) == (project, False, Role.ANNOTATOR)
    assert User.objects.get(username="ada").email == ""


def test_who_has_an_account_signs_in_and_comes_back(project, manager):
    User.objects.create_user("ben", password=PASSWORD)
    client = opened(link(project, manager))
    signed_in = {"login": "ben", "password": PASSWORD, "next": "/join/"}
    reply = client.post("/accounts/login/", signed_in, follow=True)
    assert "Join as ben" in reply.text


@pytest.mark.parametrize("method", ["get", "post"])
def test_without_an_invitation_nobody_makes_an_account(db, method):
    reply = getattr(Client(), method)(SIGN_UP, NEW)
    assert "Accounts are made by invitation" in reply.text
    assert not User.objects.filter(username="ada").exists()


@pytest.mark.parametrize("change", ["revoked_at", "expires_at"])
def test_the_invitation_is_checked_again_when_the_account_is_made(project, manager, change):
    client = opened(link(project, manager))
    assert "Make an account" in client.get(SIGN_UP).text
    Invitation.objects.update(**{change: timezone.now()})
    reply = client.post(SIGN_UP, NEW)
    assert "Accounts are made by invitation" in reply.text
    assert not User.objects.filter(username="ada").exists()


def test_who_loses_the_last_place_in_the_last_moment_gets_no_account(project, manager, monkeypatch):
    """The door is open when the page is asked for, and full when the account is made."""
    client = opened(link(project, manager))
    monkeypatch.setattr(invitations, "is_open", lambda invitation: True)
    invitations.join(str(Invitation.objects.get().public_id), User.objects.create_user("ben"))
    reply = client.post(SIGN_UP, NEW, follow=True)
    assert "has joined already" in reply.text
    assert not User.objects.filter(username="ada").exists()


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"password1": "short", "password2": "short"}, "too short"),
        ({"password2": "another-orchard"}, "same password"),
        ({"password1": "1234567890", "password2": "1234567890"}, "too common"),
        ({"username": ""}, "required"),
        ({"username": "Ben"}, "already exists"),
    ],
)
def test_a_form_that_cannot_be_taken_says_why(project, manager, sent, said):
    User.objects.create_user("ben")
    reply = opened(link(project, manager)).post(SIGN_UP, NEW | sent)
    assert said in reply.text
    assert User.objects.count() == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"revoked_at": timezone.now()}, "This invitation has been taken back."),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "This invitation has expired."),
    ],
)
def test_a_closed_invitation_says_so_and_nothing_else(project, manager, change, said):
    address = link(project, manager)
    Invitation.objects.update(**change)
    reply = opened(address).get("/join/")
    assert reply.status_code == 410
    assert said in reply.text
    assert project.name not in reply.text
    assert "towns" not in reply.text


def test_a_full_invitation_says_so(project, manager):
    address = link(project, manager)
    invitations.accept(address.split("/")[2], User.objects.create_user("ben"))
    reply = opened(address, User.objects.create_user("cleo")).post("/join/")
    assert reply.status_code == 410
    assert "Everybody for whom this invitation was meant has joined already." in reply.text
    assert not Membership.objects.filter(user__username="cleo").exists()


@pytest.mark.parametrize("secret", ["x", "a" * 43, "a" * 5000, "%00", "é", "%F0%9F%90%BE"])
def test_all_wrong_links_look_alike(project, manager, secret):
    link(project, manager)
    reply = Client().get(f"/join/{secret}/")
    assert reply.status_code == 404
    assert "There is no invitation at this address" in reply.text
    assert "sessionid" not in reply.cookies


def test_without_a_link_there_is_nothing_to_accept(db):
    assert Client().get("/join/").status_code == 404
    assert Client().post("/join/").status_code == 404


def test_joining_takes_a_token_of_the_page(project, manager):
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_user("ben"))
    client.get(link(project, manager))
    assert client.post("/join/").status_code == 403
