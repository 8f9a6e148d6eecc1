"""API tokens: made by a command or on one's own page, what they open, and how they end."""

import html
import re
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from accounts import tokens
from accounts.models import AccessToken, AuditEntry, User
from annotation.models import Membership
from tests.annotation import cast

pytestmark = pytest.mark.django_db

PAGE, NEW = "/accounts/tokens/", "/accounts/tokens/new/"
ASKED = {"name": "Notebook", "scope": "read", "days": "30"}


@pytest.fixture
def ada():
    """A researcher."""
    return member(Membership.Role.RESEARCHER)


@pytest.fixture
def session(ada):
    client = Client()
    client.force_login(ada)
    return client


def member(role):
    return cast.person(cast.study(), role=role).user


def status(token, address="/api/projects/"):
    return APIClient(headers={"Authorization": f"Token {token}"}).get(address).status_code


def handle():
    """Of the one token that there is."""
    return AccessToken.objects.get().pk[:16]


def test_a_token_opens_what_its_person_may_read_until_it_or_they_end(ada):
    token = tokens.create(user=ada)
    row = AccessToken.objects.get()
    assert status(token) == 200
    assert token not in [str(value) for value in AccessToken.objects.values_list().get()]
    left = row.expiry - row.created
    assert (row.user, row.scope, row.name, round(left / timedelta(days=1))) == (ada, "read", "", 90)

    AccessToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert status(token) == 401
    token = tokens.create(user=ada, days=1)
    User.objects.update(is_active=False)
    assert status(token) == 401
    assert status("\xff" * 64) == 401


def test_bounds_of_a_token(ada):
    for days in (1, tokens.MAX_DAYS):
        tokens.create(user=ada, days=days, name="x" * 100)
        lives = AccessToken.objects.latest("expiry").expiry - timezone.now()
        assert timedelta(days=days - 1) < lives <= timedelta(days=days)
    for wrong, why in (
        ({"days": 0}, "A token lives for 1 to 3650 days."),
        ({"days": tokens.MAX_DAYS + 1}, "A token lives for 1 to 3650 days."),
        ({"name": "x" * 101}, "The name of a token has at most 100 characters."),
        ({"scope": "everything"}, "everything"),
    ):
        with pytest.raises(ValueError, match=why):
            tokens.create(user=ada, **wrong)
    for trait in ({"is_simulated": True}, {"is_active": False}):
        user = User.objects.create_user("-".join(trait), **trait)
        with pytest.raises(ValueError, match=f"{user.username} cannot sign in"):
            tokens.create(user=user)
    assert AccessToken.objects.count() == 2


def test_making_and_revoking_are_on_record_without_the_token(ada):
    token = tokens.create(user=ada, by=ada, name="Nightly figures", scope="read")
    other = tokens.create(user=ada, name="Other")
    kept, revoked = tokens.of(ada)
    assert [kept.name, revoked.name] == ["Other", "Nightly figures"]

    for _ in range(2):
        tokens.revoke(user=ada, handle=revoked.digest[: tokens.HANDLE])
    with pytest.raises(ValueError, match="more than one"):
        tokens.revoke(user=ada, handle=kept.digest[: tokens.HANDLE - 1])

    assert (status(token), status(other)) == (401, 200)
    entries = [
        (entry.act, entry.by, entry.public_id, entry.details)
        for entry in AuditEntry.objects.filter(act__startswith="token").order_by("pk")
    ]
    made = {"scope": "read", "days": 90}
    assert entries == [
        ("token-made", ada, ada.public_id, made),
        ("token-made", None, ada.public_id, made),
        ("token-revoked", ada, ada.public_id, {}),
    ]


def test_a_token_revokes_itself(ada):
    token, other = tokens.create(user=ada), tokens.create(user=ada)
    client = APIClient(headers={"Authorization": f"Token {token}"})
    assert client.delete("/api/tokens/current/").status_code == 204
    assert (status(token), status(other)) == (401, 200)
    assert AuditEntry.objects.first().act == "token-revoked"


def test_the_command_prints_a_token_or_says_why_there_is_none(ada):
    output = StringIO()
    options = {"days": 2, "scope": "manage", "name": "Nightly", "stdout": output}
    call_command("create_token", ada.username, **options)
    assert status(output.getvalue().strip()) == 200
    row = AccessToken.objects.get()
    assert (row.scope, row.name, row.user) == ("manage", "Nightly", ada)
    assert row.expiry < timezone.now() + timedelta(days=2)
    for arguments in (["nobody"], [ada.username, "--days=0"]):
        with pytest.raises(CommandError):
            call_command("create_token", *arguments)


def test_the_page_of_tokens_is_for_people_who_can_read_something(client):
    for reply in (client.get(PAGE), client.post(NEW, ASKED)):
        assert (reply.status_code, "login" in reply.headers["Location"]) == (302, True)
    people = {role: member(role) for role in ("annotator", "researcher", "manager")}
    people["stranger"] = User.objects.create_user("stranger")
    people["staff"] = User.objects.create_user("staff", is_staff=True)
    people["superuser"] = User.objects.create_superuser("root")
    for role, user in people.items():
        client.force_login(user)
        found = role not in {"annotator", "stranger"}
        assert client.get(PAGE).status_code == (200 if found else 404), role
        assert client.post(NEW, {}).status_code == (422 if found else 404), role
        if role in {"annotator", "researcher"}:
            assert (f'href="{PAGE}"' in client.get("/").text) is found
    assert not AccessToken.objects.exists()


def test_a_new_token_is_shown_once_with_a_request_that_works(session, ada):
    for scope, address in (
        ("releases", "/api/releases/"),
        ("read", "/api/projects/"),
        ("manage", "/api/projects/"),
    ):
        reply = session.post(NEW, ASKED | {"scope": scope})
        token = re.search(r'id="token" value="([0-9a-f]+)"', reply.text)[1]
        line = html.unescape(re.search(r'id="line" value="(.*?)"', reply.text)[1])
        assert line == f'curl -H "Authorization: Token {token}" http://testserver{address}'
        assert status(token, address) == 200
        row = tokens.of(ada)[0]
        assert (row.user, row.name, row.scope) == (ada, "Notebook", scope)
        assert round((row.expiry - row.created) / timedelta(days=1)) == 30
        later = session.get(PAGE)
        assert ("Notebook" in later.text, token[:15] in later.text) == (True, False)
        for page in (reply, later):
            assert "no-store" in page.headers["Cache-Control"]
    AccessToken.objects.update(expiry="2020-01-01T00:00:00Z")
    assert "expired" in session.get(PAGE).text


def test_wrong_forms_forms_of_other_sites_and_links_do_nothing(session, ada):
    for wrong in ({"scope": "everything"}, {"days": "4000"}, {"name": ""}, {"name": "x" * 101}):
        assert session.post(NEW, ASKED | wrong).status_code == 422, wrong
    assert not AccessToken.objects.exists()
    tokens.create(user=ada)
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    for address in (NEW, f"{PAGE}{handle()}/revoke/"):
        assert client.post(address, ASKED).status_code == 403
        assert session.get(address).status_code == 405
    assert AccessToken.objects.count() == 1


def test_people_revoke_their_own_tokens_and_see_no_others(session, ada):
    theirs = tokens.create(user=member(Membership.Role.MANAGER), name="Not yours")
    assert "Not yours" not in session.get(PAGE).text
    for each in (handle(), "0" * 16):
        assert session.post(f"{PAGE}{each}/revoke/").status_code == 302
    assert status(theirs) == 200

    AccessToken.objects.all().delete()
    own = tokens.create(user=ada)
    assert session.post(f"{PAGE}{handle()}/revoke/").status_code == 302
    assert status(own) == 401
