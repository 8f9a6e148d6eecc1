"""Rows together with what a table says of them, counted in the same statement."""

from typing import Any

from django.db.models import Count, IntegerField, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from generation.models import Batch, Corpus, GenerationRun, Sentence


def counted(rows: QuerySet[Any], by: str) -> Coalesce:
    """The number of `rows` whose column `by` is the primary key of the outer row."""
    return aggregated(rows, by, Count("pk"))


def aggregated(rows: QuerySet[Any], by: str, what: Count | Sum) -> Coalesce:
    """The same for any aggregate of such rows; 0 where there are none."""
    own = rows.filter(**{by: OuterRef("pk")}).order_by().values(by)
    found = own.annotate(aggregate=what).values("aggregate")
    return Coalesce(Subquery(found, output_field=IntegerField()), 0)


def of_corpora(rows: QuerySet[Corpus]) -> QuerySet[Corpus]:
    """With `sentences`, those that came with the corpus, and `runs`."""
    return rows.annotate(
        sentences=counted(Sentence.objects.filter(candidate=None), "corpus"),
        runs=counted(GenerationRun.objects.all(), "corpus"),
    )


def of_runs(rows: QuerySet[GenerationRun]) -> QuerySet[GenerationRun]:
    """With `sentences` and `sentences_done`, and with `batches_parked`."""
    batches = Batch.objects.all()
    done = Sum("size", filter=Q(state=Batch.State.DONE))
    return rows.annotate(
        sentences=aggregated(batches, "run", Sum("size")),
        sentences_done=aggregated(batches, "run", done),
        batches_parked=counted(batches.filter(state=Batch.State.PARKED), "run"),
    )
