"""The settings under test: those of the product, with a throw-away key, data folder and database.

DATABASE_URL is honoured, so the same suite runs on SQLite and on Postgres.
"""

import os
import tempfile
from pathlib import Path

os.environ["PAWSMITH_SECRET_KEY"] = "only-for-tests"
# Made and removed by conftest.py; processes that tests start find it in their environment.
os.environ.setdefault("PAWSMITH_DATA_DIR", f"{tempfile.gettempdir()}/pawsmith-tests-{os.getpid()}")
# Each process of a parallel run has a folder inside it: what one creates, no other sees.
process = os.environ.get("PYTEST_XDIST_WORKER", "")
if process and Path(os.environ["PAWSMITH_DATA_DIR"]).name.startswith("pawsmith-tests-"):
    os.environ["PAWSMITH_DATA_DIR"] += f"/{process}"
os.environ.setdefault("CELERY_BROKER_URL", "")
os.environ.setdefault(
    "DATABASE_URL", f"sqlite:///{os.environ['PAWSMITH_DATA_DIR']}/pawsmith.sqlite3"
)

from config.settings import *  # noqa: E402, F403
from config.settings import DATA_DIR, DATABASES  # noqa: E402

if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # A file, as in the product: threads of a live server then have connections of their own.
    DATABASES["default"]["TEST"] = {"NAME": DATA_DIR / "test.sqlite3"}
elif "PAWSMITH_TEST_POSTGRES" in os.environ:
    # tests.services.beside_postgres has migrated it.
    DATABASES["default"]["TEST"] = {"TEMPLATE": DATABASES["default"]["NAME"]}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Pages are rendered without `collectstatic` having run.
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
WHITENOISE_AUTOREFRESH = True
WHITENOISE_USE_FINDERS = True
# To the outbox of Django's tests.
SENDS_MAIL = True
