"""What a token may ask for: its scope against what a view declares."""

import pytest
from rest_framework.response import Response
from rest_framework.test import APIClient, APIRequestFactory
from rest_framework.views import APIView

from accounts import tokens
from accounts.models import AccessToken, User
from accounts.scopes import Scope, WithinScope, reaches

RELEASES, READ, MANAGE = Scope.RELEASES, Scope.READ, Scope.MANAGE
pytestmark = pytest.mark.django_db


def answer(method, scope=None, /, **declared):
    """The reply of a view that declares this to a token of the scope; to a session without one."""
    methods = dict.fromkeys(("get", "post", "delete"), lambda self, request: Response({}))
    person = User.objects.create_user(f"ada-{User.objects.count()}")
    headers = {}
    if scope is not None:
        headers = {"Authorization": f"Token {tokens.create(user=person, scope=scope)}"}
    request = getattr(APIRequestFactory(), method)("/", headers=headers)
    if scope is None:
        request.user, request._dont_enforce_csrf_checks = person, True
    return type("View", (APIView,), methods | declared).as_view()(request)


def test_a_token_does_what_its_scope_says_and_a_session_all_that_its_person_may(subtests):
    for method, declared, allowed in (
        ("get", {"scope": RELEASES}, {RELEASES, READ, MANAGE}),
        ("get", {"scope": READ}, {READ, MANAGE}),
        ("head", {"scope": READ}, {READ, MANAGE}),
        ("post", {"scope": RELEASES}, {MANAGE}),
        ("post", {"scope": READ}, {MANAGE}),
        ("delete", {"scope": READ}, {MANAGE}),
        ("delete", {"scope": RELEASES, "writing_scope": RELEASES}, {RELEASES, READ, MANAGE}),
        ("get", {}, set()),
        ("post", {}, set()),
        ("post", {"writing_scope": RELEASES}, set()),
    ):
        with subtests.test(method=method, declared=declared):
            answers = {scope: answer(method, scope, **declared).status_code for scope in Scope}
            assert answers == {scope: 200 if scope in allowed else 403 for scope in Scope}
            assert answer(method, **declared).status_code == 200


def test_a_refusal_says_what_is_missing_for_scopes_hold_each_other():
    needs = "This needs a token of the scope “read”: yours is of “releases”."
    for declared, detail in (({"scope": READ}, needs), ({}, "This is not open to tokens.")):
        reply = answer("get", RELEASES, **declared)
        (error,) = reply.data["errors"]
        assert (reply.data["type"], error["code"]) == ("client_error", "permission_denied")
        assert error["detail"] == detail
    held = {(one, other) for one in Scope for other in Scope if reaches(one, other)}
    lesser = {(READ, RELEASES), (MANAGE, RELEASES), (MANAGE, READ)}
    assert held == lesser | {(one, one) for one in Scope}


def test_anything_but_a_token_of_a_known_scope_opens_nothing(rf):
    token = tokens.create(user=User.objects.create_user("ada"))
    AccessToken.objects.update(scope="everything")
    client = APIClient(headers={"Authorization": f"Token {token}"})
    assert client.get("/api/projects/").status_code == 403
    request = rf.get("/")
    request.auth = "of another kind"
    view = type("View", (APIView,), {"scope": READ})
    assert not WithinScope().has_permission(request, view)
