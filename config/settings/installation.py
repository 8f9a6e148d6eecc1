"""This installation: its address, secret key, data folder, database, backups and metrics.

Settings come from environment variables (docs/operator/settings.md), which take precedence over
the file `pawsmith.env` of the data folder (common/places.py). variables.py refuses wrong ones.
"""

import os
import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from common.places import BASE_DIR as BASE_DIR
from common.places import DATA_DIR as DATA_DIR
from common.places import env
from config.settings import variables

VERSION = "0.1.0"
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
PATH = re.compile(r"(?:/[\w~][\w.~-]*)*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a public installation, or of one that only its own machine can reach.

    Public addresses must use HTTPS; otherwise passwords would be sent unencrypted. `path` is empty,
    or begins with a slash and ends without one.
    """

    origin: str
    host: str
    path: str

    @classmethod
    def parse(cls, text: str) -> "Address":
        """Parse `https://name`, `https://name:8443/path` or `http://localhost`.

        Raises ValueError with the reason for anything else.
        """
        parts = urlsplit(text)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        if parts.scheme not in ("http", "https") or not host:
            raise ValueError(f"{text!r} is not an address such as https://pawsmith.example.")
        path = parts.path.rstrip("/")
        if parts.query or parts.fragment or parts.username is not None or not PATH.fullmatch(path):
            raise ValueError(
                f"{text!r} is more than a host and a path. Use the form "
                "https://pawsmith.example or https://uni.example/pawsmith."
            )
        if parts.scheme == "http" and host not in LOOPBACK:
            raise ValueError(f"{text!r} is reached from other machines, so it must use https.")
        if "*" in host or (parts.scheme == "https" and host in LOOPBACK):
            raise ValueError(f"{text!r} is not the name under which others reach it.")
        return cls(f"{parts.scheme}://{parts.netloc}", host, path)

    @property
    def is_public(self) -> bool:
        """Whether others can reach the installation, so that all rules for production apply."""
        return self.origin.startswith("https:")

    @property
    def hosts(self) -> list[str]:
        return [self.host] if self.is_public else list(LOOPBACK)


RELEASES_DIR = DATA_DIR / "releases"
# Uploaded files, until they are imported, and the lines of them that were refused.
IMPORTS_DIR = DATA_DIR / "imports"
# While they arrive: the folder of the system for such files may be in memory.
FILE_UPLOAD_TEMP_DIR = str(DATA_DIR) if DATA_DIR.is_dir() else None
# The largest form without its files, in bytes: it may have pasted texts.
DATA_UPLOAD_MAX_MEMORY_SIZE = 6_000_000

try:
    ADDRESS = Address.parse(env.str("PAWSMITH_ADDRESS", default="http://localhost"))
except ValueError as wrong:
    raise ImproperlyConfigured(f"PAWSMITH_ADDRESS: {wrong}") from wrong

ALLOWED_HOSTS = ADDRESS.hosts
CSRF_TRUSTED_ORIGINS = [ADDRESS.origin] if ADDRESS.is_public else []
# All addresses begin with it; config/wsgi.py takes it off those of requests.
FORCE_SCRIPT_NAME = ADDRESS.path or None

DEBUG = variables.is_on("PAWSMITH_DEBUG", default=False)
if DEBUG and ADDRESS.is_public:
    raise ImproperlyConfigured(
        "PAWSMITH_DEBUG would show internals of Pawsmith to everyone. Leave it out."
    )

SECRET_KEY = env.str("PAWSMITH_SECRET_KEY")
# Sessions and links that were signed with former keys stay valid.
SECRET_KEY_FALLBACKS = env.list("PAWSMITH_FORMER_SECRET_KEYS", default=[])
if ADDRESS.is_public and (len(SECRET_KEY) < 50 or len(set(SECRET_KEY)) < 5):
    raise ImproperlyConfigured(
        "PAWSMITH_SECRET_KEY must be at least 50 random characters: openssl rand -base64 48"
    )

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
    file = f"sqlite:///{DATA_DIR / 'pawsmith.sqlite3'}"
    database = variables.database("DATABASE_URL", default=file)
    if database["ENGINE"].endswith("sqlite3"):
        return database | {"OPTIONS": SQLITE_OPTIONS}
    options = POSTGRES_OPTIONS | database.get("OPTIONS", {})
    options["options"] = f"{options.get('options', '')} {DURABLE}".strip()
    return database | {"CONN_MAX_AGE": 600, "OPTIONS": options}


DATABASES = {"default": _database()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Backups: their folder, the number to keep, and the folder of the PostgreSQL programs.
BACKUP_DIR = env.str("PAWSMITH_BACKUP_DIR", default="")
BACKUPS_KEPT = variables.whole_number("PAWSMITH_BACKUPS_KEPT", default=14, smallest=1)
PG_BIN = env.str("PAWSMITH_PG_BIN", default="")

# The file of servers whose models runs may ask (docs/operator/endpoints.md). Empty: none.
ENDPOINTS_FILE = env.str("PAWSMITH_ENDPOINTS", default="")

# The file of addresses that get webhooks (docs/operator/events.md). Empty: none.
WEBHOOKS_FILE = env.str("PAWSMITH_WEBHOOKS", default="")

# Where releases are uploaded to.
# The protocol xet of the Hub sends files without time limits.
os.environ["HF_HUB_DISABLE_XET"] = "1"
HUB_ADDRESS = (env.str("HF_ENDPOINT", default="") or "https://huggingface.co").rstrip("/")

# Metrics for a collector, disabled unless a token is set.
METRICS_TOKEN = env.str("PAWSMITH_METRICS_TOKEN", default="")
