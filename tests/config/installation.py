"""A public installation, as a process of its own sees it."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = {
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "PAWSMITH_ADDRESS": "https://pawsmith.example",
    "PAWSMITH_SECRET_KEY": "a-key-for-tests-with-more-than-fifty-characters-0123456789",
    "PAWSMITH_PROXIES": "1",
    "DATABASE_URL": "sqlite://:memory:",
    "CELERY_BROKER_URL": "",
}
# Of the environment of the tests, only this reaches the installation.
_INHERITED = {
    name: os.environ[name] for name in ("PATH", "HOME", "PAWSMITH_DATA_DIR") if name in os.environ
}


def python(*arguments, **environment):
    """Run Python with the settings of a public installation, some of them replaced."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=_INHERITED | PUBLIC | environment,
        capture_output=True,
        text=True,
        check=False,
    )


def settings(*names, **environment):
    """The values of these settings in a public installation."""
    code = "import json, sys\nfrom django.conf import settings\n"
    code += "print(json.dumps({name: getattr(settings, name, None) for name in sys.argv[1:]}))"
    printed = python("-c", code, *names, **environment)
    assert printed.returncode == 0, printed.stderr
    return json.loads(printed.stdout)
