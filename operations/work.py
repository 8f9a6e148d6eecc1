"""Work that waits for workers: imports, generation runs, previews, releases and uploads."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, Subquery

from annotation.models import Import
from common.leased import Leased
from generation import selectors
from generation.models import Batch, Queue
from releases.models import HubUpload, Release, ReleasePreview

KINDS = ("import", "run", "draft", "release", "upload")


@dataclass(frozen=True, slots=True)
class Waiting:
    """Work that is not done.

    Attributes:
        kind: one of KINDS.
        name: of the corpus, or of the project with the version.
        queue: from which workers take it.
        since: for a run, when its last batch was finished or, before that, when it was started;
            for a draft or an upload, when it was requested; for imports and releases, None.
        is_held: whether a worker is processing it.
    """

    kind: str
    name: str
    queue: str
    since: datetime | None
    is_held: bool

    def silence(self, now: datetime) -> timedelta:
        """How long it has made no progress; nothing for what is done in one go."""
        return timedelta() if self.since is None else now - self.since


def waiting(now: datetime) -> list[Waiting]:
    """Return imports, runs, drafts, releases and uploads, without those that wait for people."""
    found = _imports(now), _runs(now), _drafts(now), _releases(now), _uploads(now)
    return [each for some in found for each in some]


def _imports(now: datetime) -> Iterator[Waiting]:
    pending = Import.objects.filter(state__in=[Import.State.QUEUED, Import.State.RUNNING])
    for row in pending.select_related("project").order_by("pk"):
        yield Waiting("import", str(row.project), Queue.CPU, None, _is_leased(row, now))


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
        yield Waiting("run", run.corpus.name, run.queue, since, run.is_held)


def _drafts(now: datetime) -> Iterator[Waiting]:
    states = [ReleasePreview.State.WAITING, ReleasePreview.State.UNDER_WAY]
    previews = ReleasePreview.objects.filter(release__state=Release.State.DRAFT, state__in=states)
    for preview in previews.select_related("release__project"):
        is_held = _is_leased(preview, now)
        yield Waiting("draft", str(preview.release), Queue.CPU, preview.asked_at, is_held)


def _releases(now: datetime) -> Iterator[Waiting]:
    under_way = Release.objects.filter(state__in=[Release.State.QUEUED, Release.State.BUILDING])
    for release in under_way.select_related("project"):
        yield Waiting("release", str(release), Queue.CPU, None, _is_leased(release, now))


def _uploads(now: datetime) -> Iterator[Waiting]:
    states = [HubUpload.State.WAITING, HubUpload.State.UNDER_WAY]
    uploads = HubUpload.objects.filter(state__in=states).select_related("release__project")
    for upload in uploads:
        is_held = _is_leased(upload, now)
        yield Waiting("upload", str(upload.release), Queue.CPU, upload.asked_at, is_held)


def _is_leased(row: Leased, now: datetime) -> bool:
    return row.lease_until is not None and row.lease_until > now
