"""Coming in by a link: what a stranger is told, and how an account and a place are made."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from annotation.models import Invitation, Membership, Role
from annotation.services import invitations
from tests.annotation import cast
from tests.annotation.views.pages import page, signed_in, undone

PASSWORD = "quiet-orchard-lantern"
SIGN_UP, NEXT = "/accounts/signup/", {"next": "/join/"}
NEW = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD} | NEXT


@pytest.fixture
def link(project):
    cache.clear()  # Tries are counted there, by address: all tests come from one.
    manager = cast.person(project, role=Role.MANAGER).user
    tomorrow = timezone.now() + timedelta(days=1)
    _, secret = invitations.create(project, by=manager, expires_at=tomorrow, may_correct=False)
    return f"/join/{secret}/"


def opened(link, user=None):
    client = signed_in(user) if user else Client()
    client.get(link)
    return client


@pytest.fixture
def ben(db):
    return User.objects.create_user("ben", password=PASSWORD)


def test_the_secret_leaves_the_address_at_once_and_is_on_no_page(link):
    client, secret = Client(), link.split("/")[2]
    first = client.get(link)
    assert (first.status_code, first.url) == (302, "/join/")
    assert first.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in first.headers["Cache-Control"]
    pages = [client.get("/join/"), client.get(SIGN_UP), client.get("/accounts/login/?next=/join/")]
    for reply in (first, pages[0]):
        assert reply.headers["X-Robots-Tag"] == "noindex, nofollow"
    pages.append(client.post(SIGN_UP, NEW, follow=True))
    assert all(secret not in f"{reply.text}{reply.headers}" for reply in pages)
    assert secret not in str(dict(client.session))


def test_a_stranger_reads_who_invites_and_to_what_and_gets_an_account_with_a_place(project, link):
    client = opened(link)
    text = client.get("/join/").text
    for said in (project.name, "About towns.", "whether two sentences mean the same"):
        assert said in text
    assert "repair sentences" not in text
    assert client.post("/join/").url == "/join/"
    reply = client.post(SIGN_UP, NEW, follow=True)
    assert reply.redirect_chain[-1][0] == page("welcome", project)
    place = Membership.objects.get(user__username="ada")
    assert (place.project, place.may_correct, place.role) == (project, False, Role.ANNOTATOR)


def test_people_with_an_account_sign_in_and_join_with_one_button(project, link, ben):
    client, welcome = opened(link), page("welcome", project)
    sent = {"login": "ben", "password": PASSWORD} | NEXT
    assert "Join as ben" in client.post("/accounts/login/", sent, follow=True).text
    assert not ben.memberships.exists()
    assert client.post("/join/").url == welcome
    assert ben.memberships.get().project == project
    assert client.get("/join/").url == welcome


def test_without_an_invitation_that_is_open_no_account_is_made(link, ben, monkeypatch):
    for reply in (Client().get(SIGN_UP), Client().post(SIGN_UP, NEW)):
        assert "Accounts are made by invitation" in reply.text
    client = opened(link)
    assert "Make an account" in client.get(SIGN_UP).text
    for column in ("revoked_at", "expires_at"):
        with undone():
            Invitation.objects.update(**{column: timezone.now()})
            assert "Accounts are made by invitation" in client.post(SIGN_UP, NEW).text
    # Open when the form was checked, and full when the account is made.
    monkeypatch.setattr(invitations, "is_open", lambda invitation: True)
    invitations.join(str(Invitation.objects.get().public_id), ben)
    assert "has joined already" in client.post(SIGN_UP, NEW, follow=True).text
    assert not User.objects.filter(username="ada").exists()


def test_a_closed_invitation_says_so_and_nothing_else(project, link, ben):
    yesterday, cleo = timezone.now() - timedelta(days=1), User.objects.create_user("cleo")
    for column, said in (("revoked_at", "been taken back"), ("expires_at", "expired")):
        with undone():
            Invitation.objects.update(**{column: yesterday})
            reply = opened(link).get("/join/")
            assert reply.status_code == 410
            assert f"This invitation has {said}." in reply.text
            assert project.name not in reply.text
            assert "towns" not in reply.text
    invitations.accept(link.split("/")[2], ben)
    reply = opened(link, cleo).post("/join/")
    assert reply.status_code == 410
    assert "Everybody for whom this invitation was meant has joined already." in reply.text
    assert not cleo.memberships.exists()


def test_all_wrong_links_look_alike(link):
    for secret in ("x", "a" * 43, "a" * 5000, "%00", "é", "%F0%9F%90%BE"):
        reply = Client().get(f"/join/{secret}/")
        assert reply.status_code == 404
        assert "There is no invitation at this address" in reply.text
        assert "sessionid" not in reply.cookies
