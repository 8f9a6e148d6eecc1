"""Workers that build one release at once, as real processes; run inside an Installation.

Prints one JSON object: what became of the release.
"""

import json
import multiprocessing
import os
import signal
from contextlib import nullcontext
from datetime import timedelta
from typing import Any
from unittest import mock

from django.db import connection
from django.utils import timezone

from annotation.dataset.verification import verify
from annotation.models import Release
from annotation.selectors import published
from annotation.selectors.releases import folder_of
from annotation.services import releases
from annotation.services.releases import building, publishing
from tests.annotation import cast, judged

FORK = multiprocessing.get_context("fork")


def at_once(*, guarded: bool = True) -> None:
    """Two workers look for a release at the same moment; unguarded, neither compares."""
    release = _queued()
    barrier, frozen = FORK.Barrier(2), FORK.SimpleQueue()
    _run(*(FORK.Process(target=_build, args=(barrier, frozen, guarded)) for _ in range(2)))
    print(json.dumps(_outcome(release) | {"claimed": _all_of(frozen)}))


def killed(*, continued: bool = True) -> None:
    """A worker dies in the middle of writing; another comes when its lease is over, or none."""
    release = _queued()
    worker = FORK.Process(target=_die_while_writing)
    _run(worker)
    left = sorted(path.name for path in publishing.workshop_of(release).rglob("*.jsonl"))
    frozen = Release.objects.get().frozen_at
    Release.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    if continued:
        assert releases.build_next()
    again = Release.objects.get().frozen_at == frozen
    told = {"killed": worker.exitcode == -signal.SIGKILL, "left": left, "same_freeze": again}
    print(json.dumps(_outcome(release) | told))


def _queued() -> Release:
    project = cast.study()
    judged.pairs(project, [[1, 1, 1, 1, 1]] * 20, by=judged.people(project, 5))
    release = releases.draft(project, version="1.0", dev=0, test=0)
    releases.queue(release)
    return release


def _run(*processes: Any) -> None:
    connection.close()
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _build(barrier: Any, claims: Any, guarded: bool) -> None:
    """Claim when the other has read the same rows, and build what was claimed."""
    waiting = list(building.building.waiting(timezone.now()))
    read = mock.patch.object(building.building, "waiting", return_value=waiting)
    with read, nullcontext() if guarded else mock.patch.object(building, "_taken", _take):
        barrier.wait()
        if (release := building.claim()) is not None:
            claims.put(release.attempts)
            releases.build(release)


def _take(release: Release, **columns: Any) -> bool:
    """A claim without its comparison: whoever has read the row takes it."""
    return bool(Release.objects.filter(pk=release.pk).update(**columns))


def _die_while_writing() -> None:
    """kill -9 from within, when pairs and sentences are written and judgments are not."""

    def judgments(_release: Release) -> Any:
        yield from ()
        os.kill(os.getpid(), signal.SIGKILL)

    with mock.patch("annotation.selectors.releases.judgments_of", judgments):
        releases.build_next()


def _all_of(queue: Any) -> list[int]:
    found = []
    while not queue.empty():
        found.append(queue.get())
    return found


def _outcome(release: Release) -> dict[str, Any]:
    built = Release.objects.get(pk=release.pk)
    folder = folder_of(built)
    return {
        "state": built.state,
        "attempts": built.attempts,
        "examples": built.examples.count(),
        "whole": published.is_whole(built),
        "wrong": [str(each) for each in verify(folder)] if folder.exists() else None,
        "published": folder.exists() or published.archive_of(built).exists(),
    }
