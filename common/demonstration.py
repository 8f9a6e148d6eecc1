"""The studies of the demonstration, and whether it is still being created; pages say so."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

OPEN_STUDY, FINISHED_STUDY = "Demonstration", "Demonstration, finished"
GRADED_STUDY, TRANSLATED_STUDY = "Demonstration, graded", "Demonstration, into German"
INFERENCE_STUDY = "Demonstration, inference"
# Pairs that a newcomer judges in the open study to try it.
TRIAL = 5
STUDIES = (OPEN_STUDY, FINISHED_STUDY, GRADED_STUDY, TRANSLATED_STUDY, INFERENCE_STUDY)


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
