"""The endpoints of this installation: those of the file that PAWSMITH_ENDPOINTS names."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core import checks

from generation.endpoints.config import Endpoints, read


def endpoints() -> Endpoints:
    """Return the endpoints as the file is now; none if the installation has no file."""
    if not settings.ENDPOINTS_FILE:
        return Endpoints({})
    path = Path(settings.ENDPOINTS_FILE)
    try:
        changed_at = path.stat().st_mtime_ns
    except OSError:
        changed_at = 0
    return _read(path, changed_at)


@lru_cache(maxsize=1)
def _read(path: Path, _changed_at: int) -> Endpoints:
    return read(path)


def check(**_options: Any) -> list[checks.CheckMessage]:
    """Report what is wrong in the file: for `manage.py check`. Keys are not read."""
    hint = f"Correct {settings.ENDPOINTS_FILE}. Until then, these models cannot be chosen."
    return [
        checks.Warning(f"Endpoints: {problem}", hint=hint, id="pawsmith.W001")
        for problem in endpoints().problems
    ]
