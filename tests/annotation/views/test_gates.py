"""Who each gate lets through, and whom it takes a session for."""

import pytest
from django.conf import settings
from django.http import Http404
from django.test import Client, RequestFactory, override_settings
from django.urls import reverse

from accounts.models import User
from annotation.models import Membership
from annotation.views import gates
from tests.annotation import cast

Role = Membership.Role
ANNOTATOR, RESEARCHER, MANAGER = Role.ANNOTATOR, Role.RESEARCHER, Role.MANAGER
EVERYBODY = {ANNOTATOR, RESEARCHER, MANAGER}


def request_of(user):
    """A request of somebody whom the session middleware has recognised."""
    request = RequestFactory().get("/")
    request.user, request.membership = user, None
    return request


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize(
    ("gate", "allowed"),
    [
        (gates.member, EVERYBODY),
        (gates.reader, {RESEARCHER, MANAGER}),
        (gates.manager, {MANAGER}),
    ],
)
def test_a_gate_lets_its_roles_through_and_hides_the_project_from_others(
    project, role, gate, allowed
):
    person = cast.person(project, role=role)
    request = request_of(person.user)
    if role in allowed:
        assert gate(request, project.public_id) == person
    else:
        with pytest.raises(Http404):
            gate(request, project.public_id)


@pytest.mark.parametrize(("gate", "asked"), [("corrector", "may_correct"), ("judge", "may_judge")])
def test_work_is_for_whom_it_is_asked_of(project, gate, asked):
    asked_of, other = cast.person(project), cast.person(project, **{asked: False})
    enter = getattr(gates, gate)
    assert enter(request_of(asked_of.user), project.public_id) == asked_of
    with pytest.raises(Http404):
        enter(request_of(other.user), project.public_id)


@pytest.mark.parametrize("gate", ["member", "corrector", "judge", "reader", "manager"])
def test_every_gate_is_closed_to_managers_of_other_projects(project, gate):
    stranger = cast.person(cast.study(), role=MANAGER)
    with pytest.raises(Http404):
        getattr(gates, gate)(request_of(stranger.user), project.public_id)


def test_a_session_from_before_the_password_was_changed_is_nobodys(project, alice, client):
    alice.user.set_password("another one")
    alice.user.save()
    assert client.get(reverse("judge", args=[project.public_id])).status_code == 302


def test_the_session_of_an_account_that_was_closed_is_nobodys(project, alice, client):
    User.objects.filter(pk=alice.user_id).update(is_active=False)
    assert client.get(reverse("judge", args=[project.public_id])).status_code == 302


def test_a_session_that_was_begun_under_a_former_key_is_still_its_persons(project, alice, client):
    former = settings.SECRET_KEY
    with override_settings(SECRET_KEY="a new one", SECRET_KEY_FALLBACKS=[former]):
        assert client.get(reverse("judge", args=[project.public_id])).status_code == 200


def test_a_session_without_a_person_is_sent_to_sign_in(project):
    client = Client()
    session = client.session
    session["seen"] = True
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key
    assert client.get(reverse("judge", args=[project.public_id])).status_code == 302
