"""What a token may ask for: its scope against what a view declares."""

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient, APIRequestFactory
from rest_framework.views import APIView

from accounts import tokens
from accounts.models import AccessToken, User
from accounts.scopes import Scope, reaches

RELEASES, READ, MANAGE = Scope.RELEASES, Scope.READ, Scope.MANAGE
pytestmark = pytest.mark.django_db


class Undeclared(APIView):
    def get(self, request):
        return Response({})

    post = delete = get


class OfReleases(Undeclared):
    scope = RELEASES


class OfReading(Undeclared):
    scope = READ


class OfTokens(Undeclared):
    scope = writing_scope = RELEASES


class WritingAlone(Undeclared):
    writing_scope = RELEASES


def answer(view, method, scope=None):
    """The reply to a request with a token of the scope, or by a session without one."""
    person = User.objects.create_user(f"ada-{User.objects.count()}")
    headers = {}
    if scope is not None:
        headers = {"Authorization": f"Token {tokens.create(user=person, scope=scope)}"}
    request = getattr(APIRequestFactory(), method)("/", headers=headers)
    if scope is None:
        request.user, request._dont_enforce_csrf_checks = person, True
    return view.as_view()(request)


@pytest.mark.parametrize(
    ("view", "method", "allowed"),
    [
        (OfReleases, "get", {RELEASES, READ, MANAGE}),
        (OfReading, "get", {READ, MANAGE}),
        (OfReading, "head", {READ, MANAGE}),
        (OfReleases, "post", {MANAGE}),
        (OfReading, "post", {MANAGE}),
        (OfReading, "delete", {MANAGE}),
        (OfTokens, "delete", {RELEASES, READ, MANAGE}),
        (Undeclared, "get", set()),
        (Undeclared, "post", set()),
        (WritingAlone, "post", set()),
    ],
)
@pytest.mark.parametrize("scope", Scope)
def test_a_token_does_what_its_scope_says(view, method, allowed, scope):
    expected = 200 if scope in allowed else 403
    assert answer(view, method, scope).status_code == expected


@pytest.mark.parametrize("view", [OfReleases, OfReading, OfTokens, Undeclared, WritingAlone])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_session_does_all_that_its_person_may(view, method):
    assert answer(view, method).status_code == 200


def test_a_refusal_says_what_is_missing_in_the_documented_shape():
    reply = answer(OfReading, "get", RELEASES)

    (error,) = reply.data["errors"]
    assert (reply.data["type"], error["code"]) == ("client_error", "permission_denied")
    assert "“read”" in error["detail"]
    assert "“releases”" in error["detail"]


def test_a_view_that_declares_nothing_says_so():
    (error,) = answer(Undeclared, "get", MANAGE).data["errors"]

    assert "not open to tokens" in error["detail"]


def test_scopes_hold_each_other():
    held = {(one, other) for one in Scope for other in Scope if reaches(one, other)}

    lesser = {(READ, RELEASES), (MANAGE, RELEASES), (MANAGE, READ)}
    assert held == lesser | {(one, one) for one in Scope}


def test_a_token_whose_scope_is_none_that_we_know_opens_nothing():
    token = tokens.create(user=User.objects.create_user("ada"))
    AccessToken.objects.update(scope="everything")
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")

    assert client.get("/api/projects/").status_code == 403
