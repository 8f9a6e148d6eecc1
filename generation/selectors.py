"""Queries on corpora and runs: sentences, claimable batches, progress, outcomes, counts."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import reduce
from itertools import chain
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Count, Exists, IntegerField, Max, Min, OuterRef, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Now
from django.utils import timezone

from common import bulk, clock
from generation.models import Batch, Candidate, Corpus, GenerationRun, Sentence, Worker
from generation.nlp.rewrites import ACCEPTED
from generation.nlp.text import pair_key

# The parts of a method that a model may have, in GenerationRun.model_identities.
MODEL_PARTS = (
    *("generator", "tagger", "language_model", "rescorer", "likeness", "forward", "backward"),
    "scorer",
)
RATE_WINDOW = timedelta(minutes=5)
# A preview ends once this many sentences have candidates.
PREVIEW_CANDIDATES = 10
# Workers send a heartbeat every 15 seconds.
SILENT_AFTER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a run in sentences; those of a batch count once it is finished.

    `open` are those that workers may still finish. `rate` is in sentences per second; it and
    `seconds_left` are None if unknown, or if no worker can continue.
    """

    total: int
    done: int
    open: int
    open_batches: int
    parked_batches: int
    rate: float | None
    seconds_left: float | None

    @property
    def share(self) -> float:
        return self.done / self.total if self.total else 1.0


def sources(corpus_id: int) -> QuerySet[Sentence]:
    return Sentence.objects.filter(corpus=corpus_id, candidate=None).order_by("id")


def count_entities_with_few_definitions(corpus_id: int, fewest: int) -> int:
    definitions = Sentence.objects.filter(corpus=corpus_id, candidate=None).exclude(entity="")
    entities = definitions.values("entity").annotate(number=Count("pk"))
    return entities.filter(number__lt=fewest).count()


def last_sentence(corpus_id: int) -> int:
    """Return the primary key of the newest sentence of a corpus, or 0; includes derived ones."""
    newest = Sentence.objects.filter(corpus=corpus_id).aggregate(newest=Max("id"))["newest"]
    return int(newest or 0)


def sentences_of(run: GenerationRun) -> QuerySet[Sentence]:
    """Return the sentences to rewrite, in order: sources, or both of each pair of other runs.

    For a run by entity, they are the definitions of flashcards.
    """
    sentences = Sentence.objects.filter(corpus=run.corpus_id, id__lte=run.last_sentence)
    if run.is_by_entity:
        return sentences.filter(candidate=None).exclude(entity="").order_by("id")
    if not (runs := list(run.pairs_of.values_list("pk", flat=True))):
        return sentences.filter(candidate=None).order_by("id")
    rewritten = sentences.filter(candidate__run__in=runs, candidate__sentence=OuterRef("pk"))
    return sentences.filter(Q(candidate__run__in=runs) | Q(Exists(rewritten))).order_by("id")


def earlier_pairs(run: GenerationRun, sentences: Iterable[Sentence]) -> set[UUID]:
    """Return the keys of the pairs that earlier runs and imports made with these sentences.

    Those are the candidates of each sentence, as generated and as corrected, and the pair that
    the sentence itself comes from.
    """
    sentence_ids = {sentence.pk for sentence in sentences}
    candidates = Candidate.objects.filter(bulk.among("sentence", sentence_ids), run__lt=run.pk)
    corrected_candidates = candidates.filter(final_sentences__isnull=False)
    derived_sentences = Sentence.objects.filter(
        bulk.among("id", sentence_ids), candidate__isnull=False
    )
    pairs = chain(
        candidates.values_list("sentence__text", "text"),
        corrected_candidates.values_list("sentence__text", "final_sentences__text"),
        derived_sentences.values_list("candidate__sentence__text", "text"),
    )
    return {pair_key(*pair) for pair in pairs}


def entities_of(run: GenerationRun) -> QuerySet[Sentence, tuple[int, int]]:
    """Return the first sentence and the number of sentences of each entity, by first sentence."""
    entities = sentences_of(run).order_by().values("entity")
    counted = entities.annotate(first=Min("id"), number=Count("id")).order_by("first")
    return counted.values_list("first", "number")


def sentences_of_batch(batch: Batch) -> QuerySet[Sentence]:
    return sentences_of_batches(batch.run, [batch])


def sentences_of_batches(run: GenerationRun, batches: Iterable[Batch]) -> QuerySet[Sentence]:
    """Return the sentences of batches, in order.

    Those of whole entities are ordered by entity; an entity is in the batch of its first sentence.
    """
    ranges = [(batch.first_sentence, batch.last_sentence) for batch in batches]
    rows = sentences_of(run)
    of_ranges = rows.filter(_is_within("id", ranges))
    if not run.is_by_entity:
        return of_ranges
    # Names in between: as one statement, Postgres may read the corpus once for each definition.
    entities_in_ranges = set(of_ranges.order_by().values_list("entity", flat=True).distinct())
    entity_rows = rows.filter(bulk.among("entity", entities_in_ranges)).order_by().values("entity")
    firsts = entity_rows.annotate(first=Min("id")).filter(_is_within("first", ranges))
    entities_of_batches = set(firsts.values_list("entity", flat=True))
    return rows.filter(bulk.among("entity", entities_of_batches)).order_by("entity", "id")


def _is_within(column: str, ranges: Iterable[tuple[int, int]]) -> Q:
    return reduce(or_, (Q(**{f"{column}__range": ends}) for ends in ranges))


def runs_with_model(name: str) -> QuerySet[Any, Any]:
    parts = (Q(**{f"model_identities__{part}__name": name}) for part in MODEL_PARTS)
    return GenerationRun.objects.filter(reduce(or_, parts)).order_by().values("pk")


def running_runs(run_id: int | None = None) -> QuerySet[GenerationRun]:
    """Return runs that workers may work on, oldest first, or only `run_id` if it is one of them.

    Runs that wait for a silent server are none.
    """
    goes_on = Q(waits_until=None) | Q(waits_until__lte=Now())
    runs = GenerationRun.objects.filter(goes_on, state=GenerationRun.State.RUNNING).order_by("id")
    return runs if run_id is None else runs.filter(pk=run_id)


def claimable_batches(run: GenerationRun, now: datetime) -> QuerySet[Batch]:
    """Those that have failed before come last; of a preview, its batches until it is over."""
    free = _free(now).filter(run=run).order_by("attempts", "number")
    if not run.preview:
        return free
    return free.none() if preview_is_over(run) else free.filter(number__lte=run.preview_batches)


def runs_with_free_batches() -> QuerySet[GenerationRun]:
    return runs_at(_free(clock.now()))


def runs_at(batches: QuerySet[Batch]) -> QuerySet[GenerationRun]:
    """Return the running runs that have one of these batches before them, and no person to ask."""
    of_run = batches.filter(run=OuterRef("pk"))
    of_preview = of_run.filter(number__lte=OuterRef("preview_batches"))
    goes_on = Q(Exists(of_preview), preview=True) & ~Q(_has_enough())
    return running_runs().filter(Q(Exists(of_run), preview=False) | goes_on)


def progress(run: GenerationRun) -> Progress:
    """Return the progress of a run, with its rate over five minutes (or overall, when done)."""
    sums = run.batches.aggregate(
        total=Sum("size", default=0),
        done=Sum("size", filter=Q(state=Batch.State.DONE), default=0),
        open=Sum("size", filter=Q(state=Batch.State.OPEN), default=0),
        open_batches=Count("pk", filter=Q(state=Batch.State.OPEN)),
        parked_batches=Count("pk", filter=Q(state=Batch.State.PARKED)),
    )
    is_running = run.state == GenerationRun.State.RUNNING
    at_work = is_running and not run.preview and not run.waits_for_server
    rate = _rate(run) if at_work or run.finished_at else None
    seconds_left = sums["open"] / rate if at_work and rate else None
    return Progress(**sums, rate=rate, seconds_left=seconds_left)


def awaiting_approval() -> Q:
    """Condition for runs whose preview waits for approval: not all its batches are parked."""
    done = Exists(_preview_batches().filter(state=Batch.State.DONE))
    return Q(done, _preview_is_over(), preview=True) & ~Q(state=GenerationRun.State.CANCELLED)


def awaits_approval(run: GenerationRun) -> bool:
    return GenerationRun.objects.filter(awaiting_approval(), pk=run.pk).exists()


def preview_is_over(run: GenerationRun) -> bool:
    is_over = GenerationRun.objects.filter(_preview_is_over(), pk=run.pk)
    return run.preview and is_over.exists()


def _preview_is_over() -> Q:
    """Condition for previews with enough candidates, or without further sentences."""
    return Q(_has_enough()) | ~Q(Exists(_preview_batches().filter(state=Batch.State.OPEN)))


def _has_enough() -> Exists:
    done = _preview_batches().filter(state=Batch.State.DONE).order_by().values("run")
    counts = done.annotate(accepted=Sum(_number_accepted()))
    return Exists(counts.filter(accepted__gte=PREVIEW_CANDIDATES))


def _preview_batches() -> QuerySet[Batch]:
    return Batch.objects.filter(run=OuterRef("pk"), number__lte=OuterRef("preview_batches"))


def _number_accepted() -> Cast:
    return Cast(KeyTextTransform(ACCEPTED, "outcomes"), IntegerField())


def parked_batches_of(run: GenerationRun) -> QuerySet[Batch]:
    return run.batches.filter(state=Batch.State.PARKED).order_by("number")


def parked_batches() -> QuerySet[Batch]:
    """Return the batches that failed three times, without those of cancelled runs."""
    parked = Batch.objects.filter(state=Batch.State.PARKED)
    return parked.exclude(run__state=GenerationRun.State.CANCELLED)


def leased_batches(run: GenerationRun) -> QuerySet[Batch]:
    return run.batches.filter(state=Batch.State.OPEN, lease_until__gt=clock.now())


def present_workers(queue: str) -> list[Worker]:
    present = Worker.objects.filter(seen_at__gt=clock.now() - SILENT_AFTER)
    return [worker for worker in present if queue in worker.queues]


def loss(candidate: Candidate) -> float | None:
    """Return the loss in nats of a candidate against its source, or None if not scored."""
    if candidate.score is None or candidate.source_score is None:
        return None
    return candidate.source_score - candidate.score


def funnel(run: GenerationRun) -> dict[str, int]:
    """Count the sentences of finished batches by outcome, most frequent first."""
    return _sum_counts(run, "outcomes")


def dropped(run: GenerationRun) -> dict[str, int]:
    """Count the pairs that the method of a run left out, by why, most frequent first."""
    return _sum_counts(run, "dropped")


def _sum_counts(run: GenerationRun, column: str) -> dict[str, int]:
    counts = Counter[str]()
    finished = run.batches.filter(state=Batch.State.DONE).exclude(**{column: {}})
    for counts_of_batch in finished.values_list(column, flat=True).iterator():
        counts.update(counts_of_batch)
    return dict(counts.most_common())


def candidates(run: GenerationRun) -> QuerySet[Candidate]:
    return Candidate.objects.filter(run=run).select_related("sentence").order_by("sentence", "rank")


def _free(now: datetime) -> QuerySet[Batch]:
    unheld = Q(lease_until=None) | clock.lapsed(now)
    return Batch.objects.filter(unheld, state=Batch.State.OPEN)


def _rate(run: GenerationRun) -> float | None:
    until = run.finished_at or timezone.now()
    since = run.created_at if run.finished_at else max(run.created_at, until - RATE_WINDOW)
    recent = run.batches.filter(state=Batch.State.DONE, finished_at__gte=since)
    sentences = recent.aggregate(sum=Sum("size", default=0))["sum"]
    seconds = (until - since).total_seconds()
    return float(sentences / seconds) if sentences and seconds > 0 else None


def annotate_corpora(corpora: QuerySet[Corpus], runs: QuerySet[GenerationRun]) -> QuerySet[Corpus]:
    """Annotate with `sentences`, imported with the corpus, and how many of the `runs` it has.

    `runs` are passed because several projects may share a corpus: who asks may not see every run.
    """
    return corpora.annotate(
        sentences=bulk.count_of(Sentence.objects.filter(candidate=None), "corpus"),
        runs=bulk.count_of(runs, "corpus"),
    )


def annotate_runs(rows: QuerySet[GenerationRun]) -> QuerySet[GenerationRun]:
    """Annotate with `sentences`, those `_done` and `_accepted`, and `batches_parked`.

    `awaits_approval` is whether the preview of a run waits for approval.
    """
    batches = Batch.objects.all()
    done = Sum("size", filter=Q(state=Batch.State.DONE))
    return rows.annotate(
        sentences=bulk.aggregate_of(batches, "run", Sum("size")),
        sentences_done=bulk.aggregate_of(batches, "run", done),
        sentences_accepted=bulk.aggregate_of(batches, "run", Sum(_number_accepted())),
        batches_parked=bulk.count_of(batches.filter(state=Batch.State.PARKED), "run"),
        awaits_approval=awaiting_approval(),
    )
