"""Work for workers, and since when it has made no progress."""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Exists, OuterRef, Q, Subquery

from generation import selectors
from generation.models import Batch, Queue
from releases.models import Release, ReleasePreview


class Kind(StrEnum):
    """The kind of work."""

    RUN = "run"
    RELEASE = "release"
    DRAFT = "draft"


@dataclass(frozen=True, slots=True)
class Waiting:
    """Work that is not done.

    Attributes:
        kind: run, release or draft.
        public_id: of the run or of the release.
        name: of the corpus, or of the project with the version.
        queue: from which workers take it.
        since: for a run, when its last batch was finished or, before that, when it was started;
            for a draft, when its preview was requested; for a release, None.
        is_held: whether a worker is processing it.
    """

    kind: Kind
    public_id: uuid.UUID
    name: str
    queue: str
    since: datetime | None
    is_held: bool


def waiting(now: datetime) -> list[Waiting]:
    """Return runs, then drafts, then releases, without those that wait for people."""
    return [*_runs(now), *_drafts(now), *_releases(now)]


def _runs(now: datetime) -> Iterator[Waiting]:
    of_run = Batch.objects.filter(run=OuterRef("pk"))
    open_ = of_run.filter(state=Batch.State.OPEN)
    finished = of_run.filter(state=Batch.State.DONE).order_by("-finished_at")
    runs = selectors.running().select_related("corpus")
    runs = runs.filter(Exists(open_.filter(Q(number=1) | Q(run__preview=False))))
    for run in runs.annotate(
        last=Subquery(finished.values("finished_at")[:1]),
        is_held=Exists(open_.filter(lease_until__gt=now)),
    ):
        since = run.last or run.created_at
        yield Waiting(Kind.RUN, run.public_id, run.corpus.name, run.queue, since, run.is_held)


def _drafts(now: datetime) -> Iterator[Waiting]:
    states = [ReleasePreview.State.WAITING, ReleasePreview.State.UNDER_WAY]
    previews = ReleasePreview.objects.filter(release__state=Release.State.DRAFT, state__in=states)
    for preview in previews.select_related("release__project"):
        yield _of(Kind.DRAFT, preview.release, preview, preview.asked_at, now)


def _releases(now: datetime) -> Iterator[Waiting]:
    under_way = Release.objects.filter(state__in=[Release.State.QUEUED, Release.State.BUILDING])
    for release in under_way.select_related("project"):
        yield _of(Kind.RELEASE, release, release, None, now)


def _of(
    kind: Kind,
    release: Release,
    leased: Release | ReleasePreview,
    since: datetime | None,
    now: datetime,
) -> Waiting:
    is_held = leased.lease_until is not None and leased.lease_until > now
    return Waiting(kind, release.public_id, str(release), Queue.CPU, since, is_held)
