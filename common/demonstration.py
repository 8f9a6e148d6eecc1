"""Whether the demonstration is still being created; pages say so."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings


@contextmanager
def being_created() -> Iterator[None]:
    _file().touch()
    try:
        yield
    finally:
        _file().unlink(missing_ok=True)


def is_being_created() -> bool:
    return _file().exists()


def _file() -> Path:
    return Path(settings.DATA_DIR, "demonstration-unfinished")
