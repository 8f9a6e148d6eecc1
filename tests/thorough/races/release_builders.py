"""Workers at one release, as real processes in an Installation; each prints what became of it."""

import json
import multiprocessing
import os
import signal
from contextlib import nullcontext
from datetime import timedelta
from unittest import mock

from django.db import connection
from django.utils import timezone

from annotation import tasks
from annotation.dataset.verification import verify
from annotation.models import Release, ReleasePreview
from annotation.selectors import building as waiting_rows
from annotation.selectors import published
from annotation.selectors.releases import folder_of
from annotation.services import releases
from annotation.services.releases import building, leasing, publishing
from tests.annotation import cast, judged

FORK = multiprocessing.get_context("fork")


def at_once(*, guarded=True):
    """Two workers look for a release at the same moment; unguarded, neither compares."""
    release = _queued()
    barrier, claims = FORK.Barrier(2), FORK.SimpleQueue()
    _run(*(FORK.Process(target=_build, args=(barrier, claims, guarded)) for _ in range(2)))
    claimed = []
    while not claims.empty():
        claimed.append(claims.get())
    _tell(release, claimed=claimed)


def killed(*, continued=True):
    """A worker dies in the middle of writing; another comes when its lease is over, or none."""
    release = _queued()
    worker = FORK.Process(target=_die_while_writing)
    _run(worker)
    left = sorted(path.name for path in publishing.workshop_of(release).rglob("*.jsonl"))
    frozen = Release.objects.get().frozen_at
    Release.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    if continued:
        assert releases.build_next()
    same = Release.objects.get().frozen_at == frozen
    _tell(release, killed=worker.exitcode == -signal.SIGKILL, left=left, same_freeze=same)


def wake_for_a_draft():
    """What a page does when it drafts a release."""
    _drafted()
    tasks.wake_previewers()


def print_preview():
    preview = ReleasePreview.objects.get()
    print(json.dumps([preview.state, preview.attempts]))


def _drafted():
    project = cast.study()
    judged.pairs(project, [[1] * 5] * 20, by=judged.people(project, 5))
    return releases.draft(project, version="1.0", dev=0, test=0)


def _queued():
    release = _drafted()
    releases.queue(release)
    return release


def _run(*processes):
    connection.close()
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _build(barrier, claims, guarded):
    """Claim when the other has read the same rows, and build what was claimed."""
    waiting = list(waiting_rows.waiting(timezone.now()))
    read = mock.patch.object(waiting_rows, "waiting", return_value=waiting)
    with read, nullcontext() if guarded else mock.patch.object(leasing, "taken", _take):
        barrier.wait()
        if (row := building.claim()) is not None:
            claims.put(row.attempts)
            building.build(row)


def _take(row, **columns):
    """A claim without its comparison."""
    return bool(type(row)._default_manager.filter(pk=row.pk).update(**columns))


def _die_while_writing():
    """kill -9 from within, when pairs and sentences are written and judgments are not."""

    def judgments(_release):
        yield from ()
        os.kill(os.getpid(), signal.SIGKILL)

    with mock.patch("annotation.selectors.releases.judgments_of", judgments):
        releases.build_next()


def _tell(release, **more):
    built = Release.objects.get(pk=release.pk)
    folder = folder_of(built)
    outcome = {
        "state": built.state,
        "attempts": built.attempts,
        "examples": built.examples.count(),
        "whole": published.is_whole(built),
        "wrong": [str(each) for each in verify(folder)] if folder.exists() else None,
        "published": folder.exists() or published.archive_of(built).exists(),
    }
    print(json.dumps(outcome | more))
