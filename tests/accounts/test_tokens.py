"""API tokens: made by a command or on one's own page, what each scope opens, and how they end."""

import html
import re
from datetime import timedelta
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts import tokens
from accounts.models import AccessToken, AuditEntry, User
from accounts.scopes import Scope, WithinScope, reaches
from tests.accounts.conftest import session_of, status
from tests.annotation import make

pytestmark = pytest.mark.django_db

PAGE, NEW = "/accounts/tokens/", "/accounts/tokens/new/"
ASKED = {"name": "Notebook", "scope": "read", "days": "30"}
DAY = timedelta(days=1)
RELEASES, READ, MANAGE = Scope.RELEASES, Scope.READ, Scope.MANAGE


@pytest.fixture
def ada():
    """A researcher."""
    return member("researcher")


@pytest.fixture
def session(ada):
    return session_of(ada)


def member(role):
    return make.person(make.study(), role=role).user


def days_of(row):
    return round((row.expiry - row.created) / DAY)


def test_a_token_opens_what_its_person_may_read_until_it_or_they_end(ada):
    token = tokens.create(user=ada)
    row = AccessToken.objects.get()
    assert (row.user, row.scope, row.name, days_of(row)) == (ada, "read", "", 90)
    assert token not in [str(value) for value in AccessToken.objects.values_list().get()]
    assert status(token) == 200
    AccessToken.objects.update(expiry=timezone.now() - timedelta(seconds=1))
    assert status(token) == status("\xff" * 64) == 401
    token = tokens.create(user=ada, days=1)
    assert status(token) == 200
    User.objects.update(is_active=False)
    assert status(token) == 401


def test_a_token_is_made_within_its_bounds_for_people_who_can_sign_in(ada):
    for days in (1, 3650):
        tokens.create(user=ada, days=days, name="x" * 100)
        assert days_of(tokens.of_user(ada)[0]) == days
    robot = User.objects.create_user("robot", is_simulated=True)
    closed = User.objects.create_user("closed", is_active=False)
    for wrong, why in (
        ({"days": 0}, "A token is valid for 1 to 3650 days."),
        ({"days": 3651}, "A token is valid for 1 to 3650 days."),
        ({"name": "x" * 101}, "The name of a token has at most 100 characters."),
        ({"scope": "everything"}, "everything"),
        ({"user": robot}, "robot cannot sign in, so a token would be useless."),
        ({"user": closed}, "closed cannot sign in, so a token would be useless."),
    ):
        with pytest.raises(ValueError, match=why):
            tokens.create(**{"user": ada} | wrong)
    assert AccessToken.objects.count() == 2


def test_making_and_revoking_are_on_record_without_the_token(ada):
    token = tokens.create(user=ada, by=ada, name="Nightly figures", scope="read")
    other = tokens.create(user=ada, name="Other")
    kept, revoked = tokens.of_user(ada)
    assert [kept.name, revoked.name] == ["Other", "Nightly figures"]
    for _ in range(2):
        tokens.revoke(user=ada, handle=revoked.handle)
    assert (status(token), status(other)) == (401, 200)
    tokens.revoke(user=ada, handle=kept.handle)
    entries = AuditEntry.objects.filter(act__startswith="token").order_by("pk")
    made, revoked = ("token-made", {"scope": "read", "days": 90}), ("token-revoked", {})
    assert [(entry.act, entry.details) for entry in entries] == [made, made, revoked, revoked]
    assert [entry.by for entry in entries] == [ada, None, ada, ada]
    assert {entry.public_id for entry in entries} == {ada.public_id}


def test_the_command_prints_a_token_or_says_why_there_is_none(ada):
    options = {"days": 2, "scope": "manage", "name": "Nightly", "stdout": StringIO()}
    call_command("create_token", ada.username, **options)
    assert status(options["stdout"].getvalue().strip()) == 200
    row = AccessToken.objects.get()
    assert (row.scope, row.name, row.user, days_of(row)) == ("manage", "Nightly", ada, 2)
    for arguments in (["nobody"], [ada.username, "--days=0"]):
        with pytest.raises(CommandError):
            call_command("create_token", *arguments)


def test_the_page_of_tokens_is_for_people_who_can_read_something(client):
    for reply in (client.get(PAGE), client.post(NEW, ASKED)):
        assert (reply.status_code, "login" in reply.headers["Location"]) == (302, True)
    staff = User.objects.create_user("staff", is_staff=True)
    root = User.objects.create_superuser("root")
    readers = [member("researcher"), member("manager"), staff, root]
    for user in (*readers, member("annotator"), User.objects.create_user("stranger")):
        client.force_login(user)
        found = (client.get(PAGE).status_code, client.post(NEW, {}).status_code)
        assert found == ((200, 422) if user in readers else (404, 404)), user


def test_a_new_token_is_shown_once_with_a_request_that_works(session, ada):
    addresses = {"releases": "/api/releases/", "read": "/api/projects/", "manage": "/api/projects/"}
    for scope, address in addresses.items():
        reply = session.post(NEW, ASKED | {"scope": scope}, follow=True)
        token = re.search(r'id="token" value="([0-9a-f]+)"', reply.text)[1]
        line = html.unescape(re.search(r'id="line" value="(.*?)"', reply.text)[1])
        assert line == f'curl -H "Authorization: Token {token}" http://testserver{address}'
        assert status(token, address) == 200
        row = tokens.of_user(ada)[0]
        assert (row.user, row.name, row.scope, days_of(row)) == (ada, "Notebook", scope, 30)
        assert token in session.get(NEW).text  # reloaded, or in another language
        later = session.get(PAGE)
        assert token not in str(dict(session.session))
        assert session.get(NEW).url == PAGE
        assert ("Notebook" in later.text, token[:15] in later.text) == (True, False)
        for page in (reply, later):
            assert "no-store" in page.headers["Cache-Control"]
    assert AccessToken.objects.count() == len(addresses)


def test_people_make_and_revoke_their_own_tokens_by_forms_of_this_site(session, ada):
    for wrong in ({"scope": "everything"}, {"days": "4000"}, {"name": ""}):
        assert session.post(NEW, ASKED | wrong).status_code == 422, wrong
    own = tokens.create(user=ada)
    theirs = tokens.create(user=member("manager"), name="Not yours")
    assert "Not yours" not in session.get(PAGE).text
    pages = [f"{PAGE}{row.pk[:16]}/revoke/" for row in AccessToken.objects.order_by("created")]
    elsewhere = session_of(ada, enforce_csrf_checks=True)
    for page in (NEW, *pages):
        assert elsewhere.post(page, ASKED).status_code == 403
    for page in pages:
        assert session.get(page).status_code == 405
    assert status(own) == 200
    for page in (*pages, f"{PAGE}{'0' * 16}/revoke/"):
        assert session.post(page).status_code == 302
    assert (status(own), status(theirs)) == (401, 200)


def refusal(method, auth, **declared):
    """What a view that declares this says to a request; None where it is let through."""
    gate, request = WithinScope(), SimpleNamespace(method=method, auth=auth)
    return None if gate.has_permission(request, SimpleNamespace(**declared)) else gate.message


def test_a_token_does_what_its_scope_says_and_a_session_all_that_its_person_may():
    for method, declared, allowed in (
        ("GET", {"scope": RELEASES}, {RELEASES, READ, MANAGE}),
        ("GET", {"scope": READ}, {READ, MANAGE}),
        ("HEAD", {"scope": READ}, {READ, MANAGE}),
        ("POST", {"scope": RELEASES}, {MANAGE}),
        ("POST", {"scope": READ}, {MANAGE}),
        ("DELETE", {"scope": READ}, {MANAGE}),
        ("GET", {}, set()),
        ("POST", {}, set()),
    ):
        held = [AccessToken(scope=scope) for scope in (*Scope, "everything")]
        found = {token.scope for token in held if refusal(method, token, **declared) is None}
        assert found == allowed, (method, declared)
        assert refusal(method, None, **declared) is None
    needs = "This needs a token of the scope “read”: yours is of “releases”."
    closed = "This is not open to tokens."
    assert refusal("GET", AccessToken(scope=RELEASES), scope=READ) == needs
    assert refusal("GET", AccessToken(scope=RELEASES)) == closed
    assert refusal("GET", "of another kind", scope=READ) == closed
    held = {(one, other) for one in Scope for other in Scope if reaches(one, other)}
    lesser = {(READ, RELEASES), (MANAGE, RELEASES), (MANAGE, READ)}
    assert held == lesser | {(one, one) for one in Scope}
