"""What is known of runs: what can be claimed, how far they are, what came of their sentences."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from generation.models import Batch, Candidate, GenerationRun, Sentence

RATE_WINDOW = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. Sentences are counted by finished batches; `rate` is sentences a second."""

    total: int
    done: int
    open_batches: int
    parked_batches: int
    rate: float | None

    @property
    def seconds_left(self) -> float | None:
        """At the present rate; None while nothing is known of it."""
        return (self.total - self.done) / self.rate if self.rate else None


def sources(corpus_id: int) -> QuerySet[Sentence]:
    """The sentences that came with a corpus, in the order of their import."""
    return Sentence.objects.filter(corpus=corpus_id, candidate=None).order_by("id")


def sentences_of(batch: Batch) -> QuerySet[Sentence]:
    """The sentences of a batch's slice, in order."""
    slice_ = (batch.first_sentence, batch.last_sentence)
    return sources(batch.run.corpus_id).filter(id__range=slice_)


def running(run_id: int | None = None) -> QuerySet[GenerationRun]:
    """Runs that workers may work on, oldest first; or that one, if it is among them."""
    runs = GenerationRun.objects.filter(state=GenerationRun.State.RUNNING).order_by("id")
    return runs if run_id is None else runs.filter(pk=run_id)


def claimable(run_id: int, now: datetime) -> QuerySet[Batch]:
    """Open batches of a run that nobody holds; those that have failed before come last."""
    return _free(now).filter(run=run_id).order_by("attempts", "number")


def with_free_batches() -> QuerySet[GenerationRun]:
    """Running runs that have a batch which nobody holds."""
    return running().filter(Exists(_free(timezone.now()).filter(run=OuterRef("pk"))))


def progress(run: GenerationRun) -> Progress:
    """How far a run is, and how fast it went in the last five minutes (or over all, when done)."""
    done = Q(state=Batch.State.DONE)
    sums = run.batches.aggregate(
        total=Sum("size", default=0),
        done=Sum("size", filter=done, default=0),
        open_batches=Count("pk", filter=Q(state=Batch.State.OPEN)),
        parked_batches=Count("pk", filter=Q(state=Batch.State.PARKED)),
    )
    return Progress(**sums, rate=_rate(run))


def funnel(run: GenerationRun) -> dict[str, int]:
    """Sentences of the finished batches by outcome, most frequent first."""
    counts = Counter[str]()
    finished = run.batches.filter(state=Batch.State.DONE)
    for outcomes in finished.values_list("outcomes", flat=True).iterator():
        counts.update(outcomes)
    return dict(counts.most_common())


def candidates(run: GenerationRun) -> QuerySet[Candidate]:
    """The candidates of a run with their sentences, in the order of the corpus."""
    return Candidate.objects.filter(run=run).select_related("sentence").order_by("sentence", "rank")


def _free(now: datetime) -> QuerySet[Batch]:
    unheld = Q(lease_until=None) | Q(lease_until__lt=now)
    return Batch.objects.filter(unheld, state=Batch.State.OPEN)


def _rate(run: GenerationRun) -> float | None:
    until = run.finished_at or timezone.now()
    since = run.created_at if run.finished_at else max(run.created_at, until - RATE_WINDOW)
    recent = run.batches.filter(state=Batch.State.DONE, finished_at__gte=since)
    sentences = recent.aggregate(sum=Sum("size", default=0))["sum"]
    seconds = (until - since).total_seconds()
    return float(sentences / seconds) if sentences and seconds > 0 else None
