"""Shared by all tests: marks, the two database engines, and real servers for who asks for one."""

import os
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import hypothesis
import psycopg
import pytest
from django.conf import settings
from django.db import connection
from django.db.backends.sqlite3.base import DatabaseOperations

from tests.browser.chromium import chromium
from tests.services import servers
from tests.services.installation import Installation

MARKS = {
    "browser": {"browser"},
    "database": {"db", "transactional_db"},
    "services": {"postgres_url", "redis_url", "installation"},
}
MISSING = {
    "browser": None if chromium() else "browser tests: there is no Chromium",
    "redis_url": None if servers.redis_binary() else "tests with Redis: there is no redis-server",
}


def pytest_report_header() -> list[str]:
    return [f"not run: {what}" for what in MISSING.values() if what]


def pytest_configure() -> None:
    if os.environ.get("CI") and any(MISSING.values()):
        raise pytest.UsageError("; ".join(pytest_report_header()))
    # How long an example takes says more about the machine than about the code.
    hypothesis.settings.register_profile("pawsmith", deadline=None)
    hypothesis.settings.load_profile("pawsmith")
    settings.DATA_DIR.mkdir(exist_ok=True)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the last to leave
        shutil.rmtree(settings.DATA_DIR, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests by what they use, for `-m`, and skip those whose tools this machine lacks."""
    if connection.vendor != "postgresql":
        others = [item for item in items if item.get_closest_marker("postgres")]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in others]
    for item in items:
        used = set(getattr(item, "fixturenames", ()))
        if item.get_closest_marker("django_db"):
            used.add("db")
        for mark in [mark for mark, fixtures in MARKS.items() if fixtures & used]:
            item.add_marker(mark)
        for reason in filter(None, map(MISSING.get, used)):
            item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """Tables are emptied from consensus on: judgments of a decided pair cannot be deleted."""
    in_any_order = DatabaseOperations.sql_flush

    def consensus_first(self: Any, style: Any, tables: list[str], **options: bool) -> list[str]:
        ordered = sorted(tables, key=lambda table: table != "annotation_consensus")
        return in_any_order(self, style, ordered, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", consensus_first)
        yield


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A real PostgreSQL: the URL of its database `postgres`."""
    with servers.postgres() as url:
        yield url


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A real, empty Redis: its URL, which is also a Celery broker's."""
    with servers.redis() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest) -> str:
    """The name of a database engine: a test that asks for it runs once on each."""
    return str(request.param)


@pytest.fixture
def installation(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[Installation]:
    """An installation with a fresh, migrated database, for tests with real processes."""
    new_database = request.getfixturevalue(f"new_{engine}_database")
    place = Installation(database_url=new_database, data_dir=tmp_path)
    yield place
    place.stop()


@pytest.fixture
def new_sqlite_database(migrated_sqlite: Path, tmp_path: Path) -> str:
    copy = shutil.copy(migrated_sqlite, tmp_path / "pawsmith.sqlite3")
    return f"sqlite:///{copy}"


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("migrated")
    file = folder / "pawsmith.sqlite3"
    Installation(database_url=f"sqlite:///{file}", data_dir=folder).manage("migrate")
    return file


@pytest.fixture
def new_postgres_database(migrated_postgres: str, postgres_url: str) -> str:
    return _create_database(postgres_url, template=migrated_postgres)


@pytest.fixture(scope="session")
def migrated_postgres(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    url = _create_database(postgres_url, template="template1")
    folder = tmp_path_factory.mktemp("migrated")
    Installation(database_url=url, data_dir=folder).manage("migrate")
    return urlsplit(url).path.strip("/")


def _create_database(server_url: str, *, template: str) -> str:
    name = f"pawsmith_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return urlsplit(server_url)._replace(path=f"/{name}").geturl()
