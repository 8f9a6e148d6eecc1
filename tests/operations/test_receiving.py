"""Requests whose body does not arrive as it should: nothing is done, and the sender is told why."""

import pytest
from django.test import Client

from accounts import tokens
from accounts.scopes import Scope
from annotation.imports.services import corpora
from common import bodies
from common.api.endpoints import RowsParser
from common.bodies import SMALL
from tests.annotation import make
from tests.annotation.pages import page, signed_in

pytestmark = pytest.mark.django_db
URLENCODED, FORM = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
BROKEN, SLOW = ConnectionAbortedError("It ended early."), TimeoutError("It came too slowly.")
ROWS = "/api/corpora/rivers/sentences/"


class Failing:
    """A body of which the web server does not get all."""

    def __init__(self, error):
        self.error = error

    def read(self, *_):
        raise self.error

    readline = read


@pytest.fixture
def manager():
    return make.person(make.study(), role="manager")


@pytest.fixture
def program(manager):
    corpora.create("rivers", owner=manager.user, project=manager.project)
    token = tokens.create(user=manager.user, scope=Scope.MANAGE)
    return Client(headers={"Authorization": f"Token {token}"})


def send(client, address, kind, size, error=None):
    body = {"CONTENT_TYPE": kind, "CONTENT_LENGTH": str(size), "wsgi.input": Failing(error)}
    return client.generic("POST", address, **body)


def problem(reply):
    return reply.status_code, reply.json()["type"], reply.json()["errors"][0]["code"]


@pytest.mark.parametrize(("error", "status"), [(BROKEN, 400), (SLOW, 408)])
@pytest.mark.parametrize("kind", [URLENCODED, FORM])
def test_what_did_not_arrive_in_full_is_not_carried_out(manager, error, status, kind):
    client = signed_in(manager.user)
    reply = send(client, "/accounts/logout/", kind, 500, error)
    assert (reply.status_code, reply.text[:18]) == (status, "Nothing was stored")
    assert client.get("/").status_code == 200  # still signed in
    upload = page("upload", manager.project)
    assert send(client, upload, FORM, 10 * SMALL, error).status_code == status


def test_an_incomplete_form_is_not_reported_as_forged():
    sender = Client(enforce_csrf_checks=True)
    sender.get("/accounts/login/")
    reply = send(sender, "/accounts/login/", FORM, 9, SLOW)
    assert (reply.status_code, "too slow" in reply.text) == (408, True)


@pytest.mark.parametrize("size", [500, 2 * SMALL])
def test_programs_are_told_so_in_the_form_of_all_errors(program, size):
    assert problem(send(program, ROWS, "application/json", size, BROKEN)) == (
        400,
        "validation_error",
        "parse_error",
    )
    slow = send(program, ROWS, "application/json", size, SLOW)
    assert problem(slow) == (408, "client_error", "too_slow")


def test_a_body_without_a_length_is_refused(manager, program):
    chunked = {"HTTP_TRANSFER_ENCODING": "chunked"}
    client = signed_in(manager.user)
    assert client.post("/accounts/logout/", **chunked, CONTENT_LENGTH="").status_code == 411
    assert client.get("/").status_code == 200  # still signed in
    reply = program.post(ROWS, **chunked, CONTENT_LENGTH="")
    assert problem(reply) == (411, "client_error", "length_required")


def test_large_bodies_of_programs_are_refused_in_the_form_of_all_errors(manager, program):
    def refused(client, size=2 * SMALL):
        return send(client, ROWS, "application/json", size)

    assert problem(refused(program, RowsParser.most + 1)) == (413, "client_error", "too_large")
    for token, code in (("Token wrong", "authentication_failed"), ("", "not_authenticated")):
        reply = refused(Client(headers={"Authorization": token}))
        assert problem(reply) == (401, "client_error", code)
        assert reply["WWW-Authenticate"] == "Token"
    with bodies.large_body_of(manager.user.pk):
        reply = refused(program)
        assert (problem(reply), reply["Retry-After"]) == ((429, "client_error", "busy"), "30")
