"""A line for each request: enough to find out what happened, and nothing about who it was."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from annotation.models import Project
from config.logs import JsonLines
from generation.models import Sentence
from operations import requests
from tests.browser.every_page import routes
from tests.browser.house import ROLES, House, house

pytestmark = pytest.mark.django_db


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[list[dict[str, Any]]]:
    """Every line that is logged, as a public installation has it."""
    told: list[dict[str, Any]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            told.append(json.loads(JsonLines().format(record)))

    keeper, root = Kept(), logging.getLogger()
    root.addHandler(keeper)
    caplog.set_level(logging.INFO, requests.logger.name)
    yield told
    root.removeHandler(keeper)


def of_requests(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in lines if line["event"] == "request"]


def test_a_request_is_one_line_by_the_name_of_its_route(
    client: Client, lines: list[dict[str, Any]]
) -> None:
    reply = client.get(reverse("account_login"), {"next": "/secret/"})

    [line] = lines
    assert line["route"] == "account_login"
    assert (line["method"], line["status"]) == ("GET", 200)
    assert line["milliseconds"] > 0
    assert line["request"] == reply.headers["X-Request-ID"]
    assert "secret" not in json.dumps(line)


def test_what_is_nowhere_has_no_route_and_its_path_is_not_told(
    client: Client, lines: list[dict[str, Any]]
) -> None:
    client.get("/join-me/ada/")

    [line] = lines
    assert (line["route"], line["status"]) == ("none", 404)
    assert "ada" not in json.dumps(line)


def test_statements_are_counted(client: Client, lines: list[dict[str, Any]]) -> None:
    client.force_login(User.objects.create(username="ada"))
    client.get(reverse("home"))

    assert of_requests(lines)[-1]["statements"] >= 2


@pytest.mark.parametrize(
    ("proxies", "given", "taken"),
    [
        (0, "0123456789abcdef", False),
        (1, "0123456789abcdef", True),
        (1, "short", False),
        (1, 'forged"\n{"event": "none"}', False),
        (1, "x" * 65, False),
    ],
)
def test_an_id_is_taken_from_a_proxy_of_ours_alone_and_only_if_it_is_one(
    client: Client, settings: Any, proxies: int, given: str, taken: bool
) -> None:
    settings.PROXIES = proxies

    reply = client.get(reverse("account_login"), headers={"x-request-id": given})

    assert (reply.headers["X-Request-ID"] == given) is taken


def test_an_error_has_its_traceback_and_the_same_id_as_its_request(
    client: Client, lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    quoted = ["Ada met Bo"]  # a line of code would be told

    def broken(*_: object) -> str:
        raise ValueError(*quoted)

    client.raise_request_exception = False
    client.force_login(User.objects.create(username="ada"))
    monkeypatch.setattr("annotation.views.entrance.home.render", broken)
    client.get(reverse("home"))

    error, line = lines[-2:]
    assert "home.py" in error["exception"]
    assert error["request"] == line["request"]
    assert (line["status"], line["level"]) == (500, "error")
    assert quoted[0] not in error["exception"]


def test_no_line_of_a_walk_through_every_page_says_who_or_what_it_was_about(
    lines: list[dict[str, Any]],
) -> None:
    study = house()
    for number, user in enumerate(User.objects.all()):
        user.username = f"Ada Lovelace {number}"
        user.save()
    Project.objects.update(name="On Ada and Bo")
    visit_everything(study)

    said = json.dumps(of_requests(lines) and lines, ensure_ascii=False)
    assert len(of_requests(lines)) > 200
    for secret in secrets_of(study):
        assert secret not in said, secret


def test_the_walk_would_find_what_a_line_says(
    lines: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: a middleware that logs paths lets a link to come in be read."""
    study = house()
    tell = requests._tell

    def tell_path(request: Any, response: Any, **given: Any) -> None:
        logging.getLogger(requests.__name__).info("Asked for %s", request.path)
        tell(request, response, **given)

    monkeypatch.setattr(requests, "_tell", tell_path)
    Client().get(study.address("join"))

    assert str(study.arguments["secret"]) in json.dumps(lines)


def visit_everything(study: House) -> None:
    """Each page, asked for and sent to, by everybody, with what they would rather not have told."""
    for role in ROLES:
        client = Client(raise_request_exception=False)
        if user := study.people[role]:
            client.force_login(user)
        for route in dict.fromkeys(routes()):
            if route in {"account_logout", "set_language"}:
                continue
            address = study.address(route)
            client.get(address, {"q": "Ada met Bo"}, headers={"user-agent": "Ada’s browser"})
        client.post(reverse("account_login"), {"login": "ada", "password": "open sesame"})


def secrets_of(study: House) -> set[str]:
    """Names of people, texts, the link to come in, and what was sent along."""
    names = {*User.objects.values_list("username", flat=True), "On Ada and Bo"}
    texts = set(Sentence.objects.values_list("text", flat=True))
    sent = {"Ada met Bo", "Ada’s browser", "open sesame", "127.0.0.1", "sessionid"}
    return {*names, *texts, *sent, str(study.arguments["secret"])}
