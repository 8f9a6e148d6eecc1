"""The database: PostgreSQL, or SQLite by default."""

from typing import Any

from config.environment import env
from config.settings.installation import DATA_DIR

# Writers wait for each other instead of failing, and a commit is on disk when it returns. SQLite
# wakes them in no order: with twenty constant writers, one may wait for over 20 seconds.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 60,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
}

# Statements are prepared once for each connection. Checking a connection before use would cost
# every request a statement; instead, a request fails if PostgreSQL has closed its connection, and
# the annotation pages retry it automatically.
POSTGRES_OPTIONS = {"server_side_binding": True, "prepare_threshold": 2}
# Overrides the server and the URL: an acknowledged answer must be on disk.
DURABLE = "-c synchronous_commit=on"


def _database() -> dict[str, Any]:
    database = env.db_url("DATABASE_URL", default=f"sqlite:///{DATA_DIR / 'pawsmith.sqlite3'}")
    if database["ENGINE"].endswith("sqlite3"):
        return database | {"OPTIONS": SQLITE_OPTIONS}
    options = POSTGRES_OPTIONS | database.get("OPTIONS", {})
    options["options"] = f"{options.get('options', '')} {DURABLE}".strip()
    return database | {"CONN_MAX_AGE": 600, "OPTIONS": options}


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
