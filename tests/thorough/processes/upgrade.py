"""An installation of the first version with a row in each of its tables, upgraded to this one.

`state_0_1_0.json` holds the rows as SQLite kept them. Run inside an Installation whose database is
empty; prints one JSON object: which tables have lost or changed a row, and what else was found.
"""

import json
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor

from annotation.models import Project
from annotation.selectors import seals as chain
from annotation.services import seals

STATE = Path(__file__).with_name("state_0_1_0.json")
VERSION_0_1_0 = {
    "accounts": "0003_tokens_and_erasure",
    "generation": "0003_near_duplicates",
    "annotation": "0007_previews",
}
# Django adds to these whenever there is a new model.
GROWING = {"auth_permission", "django_content_type", "django_migrations"}
COUNTED_ON = "SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}"
Rows = Counter[tuple[str, ...]]


def upgrade(*, spoil: str = "") -> None:
    """Migrate to what 0.1.0 was, fill it, migrate to what there is now, and compare every row.

    `spoil` is a statement that a bad migration might have made.
    """
    _migrate_to_0_1_0()
    columns = _fill()
    before = {table: _rows(table, names) for table, names in columns.items()}
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        if spoil:
            cursor.execute(spoil)
    after = {table: _rows(table, names) for table, names in columns.items()}
    differ = [t for t in columns if before[t] - after[t] or _has_more(t, before, after)]
    found = {
        "empty": [table for table in columns if not before[table]],
        "differ": differ,
        "consensus": _recomputed_consensus(),
        "sealed": seals.seal_waiting(),
        "broken": len(list(chain.broken())),
    }
    print(json.dumps(found))


def _migrate_to_0_1_0() -> None:
    executor = MigrationExecutor(connection)
    others = [node for node in executor.loader.graph.leaf_nodes() if node[0] not in VERSION_0_1_0]
    executor.migrate([*VERSION_0_1_0.items(), *others])


def _fill() -> dict[str, list[str]]:
    """Insert the rows by plain statements; returns the columns of each table."""
    state: dict[str, dict[str, Any]] = json.loads(STATE.read_text())
    with transaction.atomic(), connection.cursor() as cursor:
        for table, content in state.items():
            names = ", ".join(f'"{name}"' for name in content["columns"])
            places = ", ".join(["%s"] * len(content["columns"]))
            statement = f'INSERT INTO "{table}" ({names}) VALUES ({places})'
            for row in content["rows"]:
                cursor.execute(statement, [_value(value) for value in row])
            if connection.vendor == "postgresql" and "id" in content["columns"]:
                cursor.execute(COUNTED_ON.format(table=table))
    columns = {table: content["columns"] for table, content in state.items()}
    return columns | {"django_migrations": ["app", "name"]}


def _value(stored: Any) -> Any:
    return bytes.fromhex(stored["hex"]) if isinstance(stored, dict) else stored


def _rows(table: str, names: list[str]) -> Rows:
    listed = ", ".join(f'"{name}"' for name in names)
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT {listed} FROM "{table}"')
        return Counter(tuple(map(_shown, row)) for row in cursor.fetchall())


def _shown(value: Any) -> str:
    return repr(bytes(value) if isinstance(value, memoryview) else value)


def _has_more(table: str, before: dict[str, Rows], after: dict[str, Rows]) -> bool:
    return table not in GROWING and after[table].total() > before[table].total()


def _recomputed_consensus() -> str:
    output, project = StringIO(), Project.objects.get().name
    call_command("recompute_consensus", project=project, check=True, stdout=output)
    return output.getvalue().strip()
