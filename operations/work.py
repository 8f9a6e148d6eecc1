"""Work that waits for workers: generation runs, and all that is leased."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, Subquery
from django.utils.translation import gettext_lazy

from annotation.imports.services.work import IMPORTS
from annotation.model_judgments.task_work import TASKS
from common.leased import Leased
from common.leases import Work
from evaluation.services import EVALUATIONS
from generation import selectors
from generation.models import Batch
from operations.deliveries import DELIVERIES
from releases.services.builds import BUILDS, PREVIEWS
from releases.services.hub import UPLOADS

# In the order in which a worker takes them: people wait for previews.
WORKS: tuple[Work[Any], ...] = (PREVIEWS, IMPORTS, BUILDS, UPLOADS, EVALUATIONS, TASKS, DELIVERIES)
KINDS = ("run", *(work.kind for work in WORKS))
IN_WORDS = {
    "run": gettext_lazy("run"),
    "draft": gettext_lazy("preview of a draft"),
    "import": gettext_lazy("import"),
    "release": gettext_lazy("release"),
    "upload": gettext_lazy("upload to the Hugging Face Hub"),
    "evaluation": gettext_lazy("evaluation of a release"),
    "model task": gettext_lazy("judgments by a model"),
    "delivery": gettext_lazy("message about an event"),
}


@dataclass(frozen=True, slots=True)
class Waiting:
    """Work that is not done.

    Attributes:
        kind: one of KINDS.
        name: of the corpus, or of the project with the version.
        queue: from which workers take it.
        since: for a run, when its last batch was finished or, before that, when it was started;
            for others, when it was requested; None where that is not recorded, and for an
            evaluation under way, which may take hours.
        is_held: whether a worker is processing it.
    """

    kind: str
    name: str
    queue: str
    since: datetime | None
    is_held: bool

    @property
    def kind_in_words(self) -> str:
        return str(IN_WORDS[self.kind])

    def silence(self, now: datetime) -> timedelta:
        """How long it has made no progress; nothing for what is done in one go."""
        return timedelta() if self.since is None else now - self.since


def waiting_work(now: datetime) -> list[Waiting]:
    """Return all work that is not done, without what waits for people."""
    leased = (_waiting_row(work, row, now) for work in WORKS for row in work.unfinished())
    return [*_waiting_runs(now), *leased]


def _waiting_runs(now: datetime) -> Iterator[Waiting]:
    batches = Batch.objects.filter(run=OuterRef("pk"))
    open_ = batches.filter(state=Batch.State.OPEN)
    finished = batches.filter(state=Batch.State.DONE).order_by("-finished_at")
    runs = selectors.runs_at(Batch.objects.filter(state=Batch.State.OPEN)).select_related("corpus")
    for run in runs.annotate(
        last=Subquery(finished.values("finished_at")[:1]),
        is_held=Exists(open_.filter(lease_until__gt=now)),
    ):
        since = run.last or run.created_at
        yield Waiting("run", run.corpus.name, run.queue, since, run.is_held)


def _waiting_row(work: Work[Any], row: Leased, now: datetime) -> Waiting:
    is_held = row.lease_until is not None and row.lease_until > now
    is_long = work.is_long and is_held
    since = getattr(row, work.since) if work.since and not is_long else None
    return Waiting(work.kind, work.title(row), work.queue, since, is_held)
