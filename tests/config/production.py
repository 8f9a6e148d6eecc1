"""A public installation, as one process of Python sees it."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
SECRET_KEY = "nobody-else-has-this-key-of-more-than-fifty-characters-0123456789"
PUBLIC = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "PAWSMITH_ADDRESS": "https://pawsmith.example",
    "PAWSMITH_SECRET_KEY": SECRET_KEY,
    "PAWSMITH_PROXIES": "1",
    "DATABASE_URL": "sqlite://:memory:",
    "CELERY_BROKER_URL": "",
}
# What other tests have set in this process must not reach the installation.
_INHERITED = {
    name: os.environ[name] for name in ("PATH", "HOME", "PAWSMITH_DATA_DIR") if name in os.environ
}


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run Python with the settings of a public installation, but for those that are given."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=_INHERITED | PUBLIC | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def settings(*names: str, **environment: str) -> dict[str, Any]:
    """What these settings are in a public installation."""
    code = "import json, sys\nfrom django.conf import settings\n"
    code += "print(json.dumps({name: getattr(settings, name, None) for name in sys.argv[1:]}))"
    told = python("-c", code, *names, **environment)
    assert told.returncode == 0, told.stderr
    values: dict[str, Any] = json.loads(told.stdout)
    return values
