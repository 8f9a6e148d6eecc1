"""Annotates rows with counts for tables, in the same statement."""

from typing import Any

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from generation.models import Batch, Corpus, GenerationRun, Sentence


def counted(rows: QuerySet[Any], by: str) -> Coalesce:
    """Return the number of `rows` whose column `by` is the primary key of the outer row."""
    return aggregated(rows, by, Count("pk"))


def aggregated(rows: QuerySet[Any], by: str, what: Count | Sum) -> Coalesce:
    """Return an aggregate of such rows, or 0 if there are none."""
    own = rows.filter(**{by: OuterRef("pk")}).order_by().values(by)
    found = own.annotate(aggregate=what).values("aggregate")
    return Coalesce(Subquery(found, output_field=IntegerField()), 0)


def of_corpora(rows: QuerySet[Corpus]) -> QuerySet[Corpus]:
    """Annotate with `sentences`, imported with the corpus, and `runs`."""
    return rows.annotate(
        sentences=counted(Sentence.objects.filter(candidate=None), "corpus"),
        runs=counted(GenerationRun.objects.all(), "corpus"),
    )


def of_runs(rows: QuerySet[GenerationRun]) -> QuerySet[GenerationRun]:
    """Annotate with `sentences`, `sentences_done` and `batches_parked`."""
    batches = Batch.objects.all()
    done = Sum("size", filter=Q(state=Batch.State.DONE))
    return rows.annotate(
        sentences=aggregated(batches, "run", Sum("size")),
        sentences_done=aggregated(batches, "run", done),
        batches_parked=counted(batches.filter(state=Batch.State.PARKED), "run"),
    )
