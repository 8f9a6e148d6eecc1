"""Workers at one release, or at the preview of a draft, as real processes in an Installation.

Prints one JSON object: what became of it.
"""

import json
import multiprocessing
import os
import signal
import time
from contextlib import nullcontext
from datetime import timedelta
from typing import Any
from unittest import mock

from django.db import connection
from django.utils import timezone

from annotation import tasks
from annotation.dataset.verification import verify
from annotation.models import Release, ReleasePreview
from annotation.selectors import building as selectors
from annotation.selectors import published
from annotation.selectors.releases import folder_of
from annotation.services import releases
from annotation.services.releases import building, leasing, previewing, publishing
from tests.annotation import cast, judged

FORK = multiprocessing.get_context("fork")
# What tells of waiting rows, and how one is claimed and worked on.
WORK = {
    "waiting": (building.claim, building.build),
    "waiting_previews": (previewing.claim, previewing.make),
}


def at_once(*, guarded: bool = True) -> None:
    """Two workers look for a release at the same moment; unguarded, neither compares."""
    release = _queued()
    claimed = _together("waiting", guarded)
    print(json.dumps(_outcome(release) | {"claimed": claimed}))


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


def looking_at_once(*, guarded: bool = True) -> None:
    """Two workers look for a draft at the same moment; unguarded, neither compares."""
    _drafted()
    claimed = _together("waiting_previews", guarded)
    print(json.dumps(_seen() | {"claimed": claimed}))


def killed_while_looking(*, continued: bool = True) -> None:
    """A worker dies while it plans; another comes when its lease is over, or none."""
    _drafted()
    worker = FORK.Process(target=_die_while_planning)
    _run(worker)
    ReleasePreview.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    if continued:
        assert releases.preview_next()
    print(json.dumps(_seen() | {"killed": worker.exitcode == -signal.SIGKILL}))


def woken() -> None:
    """A worker that runs already is woken by a message, and by nothing else."""
    _drafted()
    tasks.wake_previewers()
    until = time.monotonic() + 60
    while _seen()["state"] != "made" and time.monotonic() < until:
        time.sleep(0.1)
    print(json.dumps(_seen()))


def _queued() -> Release:
    release = _drafted()
    releases.queue(release)
    return release


def _drafted() -> Release:
    project = cast.study()
    judged.pairs(project, [[1, 1, 1, 1, 1]] * 20, by=judged.people(project, 5))
    return releases.draft(project, version="1.0", dev=0, test=0)


def _together(wanted: str, guarded: bool) -> list[int]:
    """Let two work at the same moment; returns the attempts that were claimed."""
    barrier, claims = FORK.Barrier(2), FORK.SimpleQueue()
    work = (wanted, barrier, claims, guarded)
    _run(*(FORK.Process(target=_work, args=work) for _ in range(2)))
    return _all_of(claims)


def _run(*processes: Any) -> None:
    connection.close()
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _work(wanted: str, barrier: Any, claims: Any, guarded: bool) -> None:
    """Claim when the other has read the same rows, and work on what was claimed."""
    claim, act = WORK[wanted]
    waiting = list(getattr(selectors, wanted)(timezone.now()))
    read = mock.patch.object(selectors, wanted, return_value=waiting)
    with read, nullcontext() if guarded else mock.patch.object(leasing, "taken", _take):
        barrier.wait()
        if (row := claim()) is not None:
            claims.put(row.attempts)
            act(row)  # type: ignore[operator]


def _take(row: Release | ReleasePreview, **columns: Any) -> bool:
    """A claim without its comparison: whoever has read the row takes it."""
    return bool(type(row)._default_manager.filter(pk=row.pk).update(**columns))


def _die_while_planning() -> None:
    """kill -9 from within, when everything is read."""

    def plan(*_rows: Any, **_settings: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    with mock.patch.object(previewing, "plan", plan):
        releases.preview_next()


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


def _seen() -> dict[str, Any]:
    seen = ReleasePreview.objects.get()
    parts = seen.content["parts"] if seen.content else []
    pairs = [part["pairs"] for part in parts]
    return {"state": seen.state, "attempts": seen.attempts, "pairs": sum(pairs)}
