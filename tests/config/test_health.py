"""Probes: whether a process lives, and whether it can serve requests."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config import health
from tests.config.production import python

# Asked as a container asks itself: by its own address, over HTTP.
ASK = """
import django, json
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
ask = Client(headers={"host": "127.0.0.1:8000"}).get
replies = {path: ask(path) for path in ("/livez", "/readyz", "/accounts/login/")}
print(json.dumps({path: reply.status_code for path, reply in replies.items()}))
"""


@pytest.fixture(autouse=True)
def forgetful() -> None:
    """That migrations are applied is remembered by the process."""
    health._ask_for_migrations.cache_clear()


def ready(client: Client) -> tuple[int, dict[str, str]]:
    """The status of /readyz, and what it says."""
    reply = client.get("/readyz")
    return reply.status_code, reply.json()


def test_a_process_lives_whatever_becomes_of_the_database(client: Client) -> None:
    reply = client.get("/livez")  # the database is out of reach for this test

    assert (reply.status_code, reply.json()) == (200, {"status": "alive"})
    assert reply.headers["Cache-Control"] == "no-store"


@pytest.mark.django_db
def test_it_is_ready_with_its_database_migrated_and_its_folder_there(client: Client) -> None:
    assert ready(client) == (200, {"status": "ready", "database": "ok", "data": "ok"})


@pytest.mark.django_db
def test_a_migration_that_is_missing_is_told(client: Client) -> None:
    [newest] = MigrationLoader(connection).graph.leaf_nodes("annotation")
    MigrationRecorder(connection).record_unapplied(*newest)

    status, told = ready(client)

    assert (status, told["database"]) == (503, "migrations are missing")


@pytest.mark.django_db
def test_a_data_folder_that_is_not_there_is_told(
    client: Client, settings: Any, tmp_path: Path
) -> None:
    settings.DATA_DIR = tmp_path / "nowhere"

    status, told = ready(client)

    assert (status, told["data"]) == (503, "cannot be written")


@pytest.mark.django_db
def test_a_broker_that_does_not_answer_is_told_and_holds_nobody_up(
    client: Client, settings: Any
) -> None:
    settings.CELERY_BROKER_URL = "redis://127.0.0.1:1/0"

    status, told = ready(client)

    assert (status, told["status"], told["broker"]) == (200, "ready", "does not answer")


def test_containers_ask_by_their_own_address_without_tls() -> None:
    asked = python("-c", ASK)

    assert asked.returncode == 0, asked.stderr
    assert json.loads(asked.stdout) == {"/livez": 200, "/readyz": 200, "/accounts/login/": 400}


@pytest.mark.django_db
@pytest.mark.parametrize("away", [OperationalError, InterfaceError])
def test_while_the_database_is_away_a_page_asks_to_try_again(
    client: Client, monkeypatch: pytest.MonkeyPatch, away: type[Exception]
) -> None:
    reply = _home_that_raises(away("server closed the connection"), client, monkeypatch)

    assert reply.status_code == 503
    assert reply.headers["Retry-After"] == "5"
    assert "The database does not answer just now" in reply.text
    assert "server closed" not in reply.text


@pytest.mark.django_db
def test_what_else_breaks_is_our_fault(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    reply = _home_that_raises(ValueError("Ada"), client, monkeypatch)

    assert reply.status_code == 500
    assert "Something broke on our side" in reply.text


@pytest.mark.django_db
def test_rest_asks_to_try_again_as_well(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object, **__: object) -> None:
        raise OperationalError("gone")

    client.raise_request_exception = False
    client.force_login(User.objects.create(username="ada", is_staff=True, is_superuser=True))
    monkeypatch.setattr("rest_framework.views.APIView.check_permissions", away)

    reply = client.get("/api/projects/")

    assert reply.status_code == 503
    assert reply.json()["errors"][0]["code"] == "unavailable"


def _home_that_raises(error: Exception, client: Client, monkeypatch: pytest.MonkeyPatch) -> Any:
    def broken(*_: object) -> None:
        raise error

    client.raise_request_exception = False
    client.force_login(User.objects.create(username="ada"))
    monkeypatch.setattr("annotation.views.entrance.home.render", broken)
    return client.get(reverse("home"))
