"""Work that waits for workers, and the watchdog: problems that no worker notices by itself."""

import logging
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Exists, OuterRef, Q, Subquery
from django.utils import timezone

from annotation.models import Project, Slot
from common import clock
from generation import selectors
from generation.models import Batch, Queue
from releases.models import Release, ReleasePreview

# Work without progress for this long needs attention.
SILENCE = timedelta(minutes=10)
# The difference allowed between the clocks of web servers.
TOLERANCE = timedelta(minutes=5)

logger = logging.getLogger(__name__)
_reported: set[uuid.UUID] = set()


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

    def silence(self, now: datetime) -> timedelta:
        """How long it has made no progress; nothing for a release, which is built in one go."""
        return timedelta() if self.since is None else now - self.since


def waiting(now: datetime) -> list[Waiting]:
    """Return runs, then drafts, then releases, without those that wait for people."""
    return [*_runs(now), *_drafts(now), *_releases(now)]


def watch() -> None:
    shorten_leases(timezone.now())
    log_silence(clock.now())


def shorten_leases(now: datetime) -> int:
    """Shorten leases that are longer than their project allows. Returns their number.

    Such leases remain when the clock is set back by an hour. The annotator keeps the item for as
    long as if it had been opened now.
    """
    shortened = 0
    for minutes in set(Project.objects.values_list("lease_minutes", flat=True)):
        lease = timedelta(minutes=minutes)
        too_long = {"project__lease_minutes": minutes, "lease_until__gt": now + lease + TOLERANCE}
        claimed = Slot.objects.in_progress().filter(**too_long)
        shortened += claimed.update(lease_until=now + lease)
    return shortened


def log_silence(now: datetime) -> None:
    """Log a warning, once for each run and draft without progress for `SILENCE`."""
    silent = {each.public_id: each for each in waiting(now) if each.silence(now) >= SILENCE}
    _reported.intersection_update(silent)
    for public_id in silent.keys() - _reported:
        found = silent[public_id]
        state = "in progress" if found.is_held else "not in progress"
        minutes = found.silence(now).total_seconds() // 60
        logger.warning(
            "Nothing has come of %s %s for %d minutes: it is %s",
            *(found.kind, public_id, minutes, state),
        )
    _reported.update(silent)


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
        yield _leased(Kind.DRAFT, preview.release, preview, preview.asked_at, now)


def _releases(now: datetime) -> Iterator[Waiting]:
    under_way = Release.objects.filter(state__in=[Release.State.QUEUED, Release.State.BUILDING])
    for release in under_way.select_related("project"):
        yield _leased(Kind.RELEASE, release, release, None, now)


def _leased(
    kind: Kind,
    release: Release,
    leased: Release | ReleasePreview,
    since: datetime | None,
    now: datetime,
) -> Waiting:
    is_held = leased.lease_until is not None and leased.lease_until > now
    return Waiting(kind, release.public_id, str(release), Queue.CPU, since, is_held)
