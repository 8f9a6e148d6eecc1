"""The servers that other tests rely on are real."""

import psycopg
import redis

from tests.services.installation import Installation


def test_postgres_answers(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute("SELECT 6 * 7").fetchone() == (42,)


def test_redis_keeps_what_it_is_given(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        client.set("colour", "green")

        assert client.get("colour") == "green"


def test_an_installation_runs_on_the_engine_it_was_made_for(
    installation: Installation, engine: str
) -> None:
    vendor = installation.run("from django.db import connection; print(connection.vendor)")

    assert vendor.strip() == {"sqlite": "sqlite", "postgres": "postgresql"}[engine]


def test_an_installation_begins_with_a_migrated_and_empty_database(
    installation: Installation,
) -> None:
    assert "[ ]" not in installation.manage("showmigrations")
    assert (
        installation.run("from accounts.models import User; print(User.objects.count())") == "0\n"
    )


def test_processes_of_an_installation_share_its_rows(installation: Installation) -> None:
    code = "from accounts.models import User; User.objects.create(username=f'person {number}')"
    installation.run_together(code, processes=3)

    assert (
        installation.run("from accounts.models import User; print(User.objects.count())") == "3\n"
    )
