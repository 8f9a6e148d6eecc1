"""An upgrade from the first version to this one loses no row, on either engine."""

import json
import uuid
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.services.installation import Installation
from tests.services.migrated import url_of

UPGRADE = """
from django.conf import settings
assert settings.INSTALLED_APPS
from tests.thorough.processes import upgrade
upgrade.upgrade(spoil={spoil!r})
"""


@pytest.fixture
def empty(engine: str, request: pytest.FixtureRequest, tmp_path: Path) -> Installation:
    """An installation with an empty database."""
    if engine == "sqlite":
        return Installation(f"sqlite:///{tmp_path}/pawsmith.sqlite3", tmp_path)
    server = request.getfixturevalue("postgres_url")
    name = f"empty_{uuid.uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return Installation(url_of(server, name), tmp_path)


def upgraded(place: Installation, *, spoil: str = "") -> dict[str, Any]:
    printed = place.run(UPGRADE.format(spoil=spoil), timeout=300)
    return dict(json.loads(printed.splitlines()[-1]))


def test_no_row_differs_after_an_upgrade_from_the_first_version(empty: Installation) -> None:
    assert upgraded(empty) == {
        "empty": [],
        "differ": [],
        "consensus": "Nothing differs.",
        "sealed": 1,
        "broken": 0,
    }


@pytest.mark.parametrize("engine", ["sqlite"])
def test_control_a_row_that_a_migration_changed_is_found(empty: Installation) -> None:
    spoil = "UPDATE accounts_user SET first_name = 'Eve' WHERE id = 2"
    assert upgraded(empty, spoil=spoil)["differ"] == ["accounts_user"]
